// Rooms that use the platform only through its API import parts of the contract from here, not from `contract/`.
export {
  type ApiToken,
  type BrowserSession,
  type ChangeRequest,
  type File,
  type GitOperation,
  type LinkResource,
  languages,
  type NavigationEntry,
  type NewApiToken,
  type OpenAPIOperation,
  type OpenAPISpec,
  operations,
  type PageLink,
  type PageResource,
  type PageView,
  type ReferenceResource,
  type Revision,
  type Role,
  roles,
  type SearchResult,
  type ShownOperation,
  type Space,
  type Translation,
} from '../contract/index.ts';
export {
  type ClientOptions,
  createClient,
  type Download,
  type InputOf,
  type PlatformClient,
} from './create-client.ts';
export { PlatformError } from './platform-error.ts';
export { type GitRequest, startGitOperation } from './start-git-operation.ts';
export { waitForAnswer } from './wait-for-answer.ts';
