import { type JsonObject, stringAt } from '../../../base/json/json.ts';

/** Is it self-hosted? The only kind of location that clients can create (platform/location). */
export function isOwnLocation(record: JsonObject): boolean {
  return stringAt(record, 'provider') === 'byok';
}

export const helpers = ['install', 'uninstall'] as const;
export type Helper = (typeof helpers)[number];

/** Links of a self-hosted location to its setup and removal (platform/concepts.links). */
export function helperLinks(record: JsonObject, self: string): readonly JsonObject[] {
  return isOwnLocation(record) ? helpers.map((rel) => ({ rel, href: `${self}/-${rel}` })) : [];
}

/** A shell script that only prints what it would do, as nothing really runs here. */
export function helperScript(helper: Helper, link: string): string {
  const deed = helper === 'install' ? 'installed in' : 'removed from';
  return `#!/bin/sh\n# Of the location ${link}\necho 'This platform is simulated: nothing is ${deed} your cluster.'\n`;
}
