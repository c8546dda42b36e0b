import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { WriteEvent } from '../../manifest/live/writer.ts';
import { ownerTag } from '../../manifest/model/ownTags.ts';

/** The note of a resource that lost its owner tag. A record does not name its last writer; the audit trail may. */
export function ownerLostNote({ record }: LiveResource, write?: WriteEvent): string {
  if (write !== undefined) {
    return `owner-lost: ${write.writer.name} removed the tag ${ownerTag} at ${write.at}, version ${write.version}`;
  }
  const when = record['lastModified'];
  return `owner-lost: somebody else removed the tag ${ownerTag}${typeof when === 'string' ? `, last write ${when}` : ''}`;
}
