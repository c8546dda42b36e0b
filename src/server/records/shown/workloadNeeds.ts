import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { isSecret } from '../../../kinds/kindFacts.ts';
import { references } from '../../../kinds/references.ts';
import { parseLink } from '../../../schema/record/ref.ts';
import type { Row, Transaction } from '../../store/model/row.ts';

/** The names of the missing secrets that a workload refers to (platform/deletion.references). */
export function missingSecrets(tx: Transaction, record: JsonObject, gvc: string): readonly string[] {
  const names = references('workload', record, { org: tx.org, gvc }).flatMap(({ target }) =>
    isSecret(target.kind) ? [target.name] : [],
  );
  return [...new Set(names)].filter((name) => tx.get({ kind: 'secret', name }) === undefined).toSorted();
}

/**
 * The missing secrets that the newest version waits for: those that were already missing when it was written. A running
 * workload continues without its secret.
 */
export function waitsFor(tx: Transaction, { state, record, gvc }: Row): readonly string[] {
  if (own(objectAt(state, 'rollout'), 'waits') !== true) return [];
  return missingSecrets(tx, record, gvc).map((name) => `the secret ${name}`);
}

export function isWaiting(tx: Transaction, row: Row): boolean {
  return waitsFor(tx, row).length > 0;
}

/** The images of the own registry that a workload runs (platform/deletion.references). */
export function ownImages(record: JsonObject): readonly string[] {
  const images = listAt(objectAt(record, 'spec'), 'containers').flatMap((container) => {
    const image = isObject(container) ? stringAt(container, 'image') : undefined;
    return image?.startsWith('/') ? [image] : [];
  });
  return [...new Set(images)];
}

/** The missing ones of these images. */
export function missingImages(tx: Transaction, images: readonly string[]): readonly string[] {
  return images.filter((image) => {
    const ref = parseLink(image, { org: tx.org })?.ref;
    return ref === undefined || tx.get(ref) === undefined;
  });
}
