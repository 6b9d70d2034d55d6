import type { Template } from './template.ts';

export const productDocs: Template = {
  id: 'product-docs',
  summary: 'Documentation of a product: first steps, guides, answers to common questions.',
  files: {
    'README.md': `# Welcome

![Logo]({{file:logo}})

Say what the product does, and for whom.

## Where to go

- New here? Start with the [first steps](getting-started/README.md).
- Something to get done? See the [guides](guides/README.md).
- Something does not work? See [common questions](help/questions.md).
`,
    'getting-started/README.md': `# First steps

What readers have achieved after this page, and how long it takes.

1. [Install it](installation.md).
2. [Do the first thing with it](first-use.md).
`,
    'getting-started/installation.md': `# Installation

## Before you begin

What has to be installed already, with versions.

## Install

The one command or the one download that most people need.

## Check that it works

What readers see if everything went well. Otherwise see [common questions](../help/questions.md).
`,
    'getting-started/first-use.md': `# First use

![What it looks like]({{file:screenshot}})

The shortest way to a first result, step by step. What comes next is in the [guides](../guides/README.md).
`,
    'guides/README.md': `# Guides

Each guide solves one task. Start with [the most common one](first-guide.md).
`,
    'guides/first-guide.md': `# The most common task

## What you need

Name it here, or link to [the installation](../getting-started/installation.md).

## Steps

1. Do this.
2. Then that.

## What you have now

How to see that it worked.
`,
    'help/questions.md': `# Common questions

## It does not start

What to check first, and where the log is.

## Where do I ask?

Where to ask, and what information to include.
`,
    'help/changes.md': `# Changes

What is new, the newest first: one heading for each version.
`,
  },
};
