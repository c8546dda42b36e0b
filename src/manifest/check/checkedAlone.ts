import { isObject, type JsonObject } from '../../base/json/json.ts';
import { checkRecord } from '../../kinds/registry.ts';
import { contextOf } from '../../schema/record/context.ts';
import { validateShape } from '../../schema/validation/validators.ts';
import type { ManifestDocument } from '../model/document.ts';
import { type ReadManifest, readManifest } from '../read/readManifest.ts';
import type { CheckOptions } from './checkOptions.ts';

/**
 * Manifests that were checked each by itself while others were still on their way, and that nothing is wrong with. One
 * with a problem is not in here: it is checked again with the others, which finds the problem with its place.
 */
export class CheckedAlone {
  readonly #clean = new WeakMap<JsonObject, ReadManifest>();

  /** `options`: the same that all manifests are checked with afterwards. */
  add({ value }: ManifestDocument, { org, gvc, validators }: CheckOptions): void {
    if (!isObject(value)) return;
    const { manifest, problems } = readManifest({ value }, gvc);
    if (manifest === undefined || problems.length > 0 || !validators.has(manifest.ref.kind)) return;
    const { ref, record } = manifest;
    const isClean =
      validateShape(validators, ref.kind, record).length === 0 &&
      checkRecord(ref.kind, record, contextOf(ref, org), 'offline').length === 0;
    if (isClean) this.#clean.set(value, manifest);
  }

  /** By the value itself: a document with another value, such as one read from outside, is another one. */
  get({ value }: ManifestDocument): ReadManifest | undefined {
    return isObject(value) ? this.#clean.get(value) : undefined;
  }
}
