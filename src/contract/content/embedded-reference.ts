import Type, { type Static } from 'typebox';
import { ChangeRequest } from '../change-requests/change-request.ts';
import { OpenAPISpec } from '../openapi/openapi-spec.ts';
import { Organization } from '../organizations/organization.ts';
import { Space } from '../spaces/space.ts';
import { File } from './file.ts';
import { PageResource } from './page.ts';
import { ReferenceResource } from './reference.ts';
import { Revision } from './revision.ts';

const { kind, url, internalLocation, position } = ReferenceResource.properties;

/** A reference of a list of links or backlinks: what it names is embedded, as the caller would read it. */
export const EmbeddedReference = Type.Object(
  {
    kind,
    organization: Type.Optional(Organization),
    space: Type.Optional(Space),
    versionContext: Type.Optional(
      Type.Object(
        {
          type: Type.Enum(['revision', 'changeRequest'], { type: 'string' }),
          revision: Type.Optional(Revision),
          changeRequest: Type.Optional(ChangeRequest),
        },
        {
          description:
            'The version that the reference is in. The lists `pages`, `files` and `reusableContents` of a revision are empty here: they would be repeated in every reference. The lists of the content have them.',
        },
      ),
    ),
    // Without the pages below it.
    page: Type.Optional(PageResource),
    file: Type.Optional(File),
    openAPISpec: Type.Optional(OpenAPISpec),
    url,
    internalLocation,
    position,
  },
  {
    $id: 'EmbeddedReference',
    description:
      'A link that stands in a file which is neither a page nor listed, such as a table of contents, has a location of the kind `space`, with its `position`.',
  },
);
export type EmbeddedReference = Static<typeof EmbeddedReference>;
