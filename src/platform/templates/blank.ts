import type { Template } from './template.ts';

export const blank: Template = {
  id: 'blank',
  summary: 'One page to start with.',
  files: {
    'README.md': `# Welcome

Say in two sentences what this is about and whom it is for.
`,
  },
};
