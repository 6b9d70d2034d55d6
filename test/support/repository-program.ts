/**
 * What reads the repositories of tests: in this process, as on a machine without git, since starting git takes longer than
 * most of what tests do with it. CI reads all of them by git, and so do everywhere the tests that say so: those of
 * repositories themselves, and those of the whole product.
 */
export const repositoryProgram = process.env['CI'] === undefined ? 'isomorphic-git' : 'git';
