import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { lastSegment, linkOf } from '../../schema/record/links.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import type { Api } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { optionLinks, optionNames, optionRefs } from '../call/refs.ts';
import { changed } from './write.ts';

/** `gvc add-location REF --location NAME…`: the full list is sent (platform/patch.clients). */
export function runAddGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const links = locationLinks(record);
    const known = new Set(links.map(lastSegment));
    const more = optionLinks(call, api, 'location').filter((link) => !known.has(lastSegment(link)));
    return placedIn([...links, ...more]);
  });
}

/** `gvc remove-location REF --location NAME…`. */
export function runRemoveGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const links = locationLinks(record);
    const gone = new Set(namesThere(call, api, links.map(lastSegment)));
    return placedIn(links.filter((link) => !gone.has(lastSegment(link))));
  });
}

function locationLinks(record: JsonObject): readonly string[] {
  return listAt(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationLinks').map(String);
}

function placedIn(locationLinks: readonly string[]): JsonObject {
  return { spec: { staticPlacement: { locationLinks } } };
}

/** The names of `--location`. Errors: `cli.usage` where one is not among those that are there. */
function namesThere(call: Call, api: Api, there: readonly string[]): readonly string[] {
  const names = optionNames(call, api, 'location');
  const missing = names.find((name) => !there.includes(name));
  if (missing === undefined) return names;
  throw new UsageError(`the location ${missing} is not in the list`, available(there));
}

/** The items of `spec.locations` of an IP set for `--location NAME[,RETENTION]`; kept unless it says otherwise. */
export function ipSetLocations(call: Call, api: Api): readonly JsonObject[] {
  const texts = call.given.list('location');
  const refs = optionRefs(call, api, 'location');
  const repeated = refs.find(({ name }, index) => refs.findIndex((other) => other.name === name) < index);
  if (repeated !== undefined)
    throw new UsageError(`--location names ${repeated.name} twice`, 'Name each location once.');
  return refs.map((ref, index) => {
    const [, retentionPolicy = 'keep', ...others] = (texts[index] ?? '').split(',');
    if ((retentionPolicy === 'keep' || retentionPolicy === 'free') && others.length === 0) {
      return { name: linkOf(ref, api.org), retentionPolicy };
    }
    throw new UsageError(
      `${JSON.stringify([retentionPolicy, ...others].join(','))} is not a retention policy`,
      'Give NAME, NAME,keep or NAME,free.',
    );
  });
}

/** `ipset add-location` and `update-location`: others stay, those of the same name are replaced. */
export function runSetIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    if (call.row.verb === 'update-location') namesThere(call, api, before.map(nameAt));
    const named = ipSetLocations(call, api);
    const names = new Set(named.map(nameAt));
    return { spec: { locations: [...before.filter((item) => !names.has(nameAt(item))), ...named] } };
  });
}

/** `ipset remove-location`. */
export function runRemoveIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    const gone = new Set(namesThere(call, api, before.map(nameAt)));
    return { spec: { locations: before.filter((item) => !gone.has(nameAt(item))) } };
  });
}
