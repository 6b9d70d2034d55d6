import type { Template } from './template.ts';

export const handbook: Template = {
  id: 'handbook',
  summary: 'A handbook for a team: how it works together, how newcomers start, how it decides.',
  files: {
    'README.md': `# Handbook

![Logo]({{file:logo}})

How this team works. Everybody may improve it.

- [Who we are](team/README.md)
- [Your first week](arriving/first-week.md)
- [How we work](working/README.md)
`,
    'team/README.md': `# Who we are

What this team is responsible for, and who does what.
`,
    'arriving/first-week.md': `# Your first week

## Day 1

Accounts, keys, and somebody to ask.

## By the end of the week

A first change of your own, made as described in [how we work](../working/README.md).
`,
    'working/README.md': `# How we work

- [Meetings](meetings.md)
- [Decisions](decisions.md)
`,
    'working/meetings.md': `# Meetings

Which meetings there are, what each is for, and what is written down afterwards.
`,
    'working/decisions.md': `# Decisions

Who decides what, and where decisions are recorded.

## How a decision is written

1. What it is about.
2. Which options were considered.
3. What was decided, when and by whom.
`,
  },
};
