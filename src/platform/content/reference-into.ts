import type { ReferenceResource } from '../../contract/index.ts';
import type { Content } from './locate-content.ts';

/** The common fields of a reference into this revision. */
export function referenceInto(
  content: Content,
): Pick<ReferenceResource, 'organization' | 'space' | 'versionContext'> {
  return {
    organization: content.space.organizationId,
    space: content.space.id,
    versionContext:
      content.changeRequest === null
        ? { type: 'revision', revision: content.revision.id }
        : { type: 'changeRequest', changeRequest: content.changeRequest.row.id },
  };
}
