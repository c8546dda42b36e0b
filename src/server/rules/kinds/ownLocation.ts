import { type JsonObject, stringAt } from '../../../schema/json/json.ts';

/** Self-hosted: the only kind of location that clients make (platform/location). */
export function isOwnLocation(record: JsonObject): boolean {
  return stringAt(record, 'provider') === 'byok';
}

export const helpers = ['install', 'uninstall'] as const;
export type Helper = (typeof helpers)[number];

/** Links of a self-hosted location to what sets it up and takes it down (platform/concepts.links). */
export function helperLinks(record: JsonObject, self: string): readonly JsonObject[] {
  return isOwnLocation(record) ? helpers.map((rel) => ({ rel, href: `${self}/-${rel}` })) : [];
}

/** A shell script that prints what it would do: nothing is really run here. */
export function helperScript(helper: Helper, link: string): string {
  const deed = helper === 'install' ? 'installed in' : 'removed from';
  return `#!/bin/sh\n# Of the location ${link}\necho 'This platform is simulated: nothing is ${deed} your cluster.'\n`;
}
