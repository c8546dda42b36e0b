import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';
import { available } from '../../../schema/text/suggestion.ts';
import type { Ending } from '../../answer/ending.ts';
import { UsageError } from '../../line/usageError.ts';
import type { Call } from '../call/command.ts';
import { linkOf } from '../wire/paths.ts';
import { changed } from './write.ts';

/** `gvc add-location REF --location NAME…`: the full list is sent (platform/patch.clients). */
export function runAddGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const links = locationLinks(record);
    const known = new Set(links.map(lastSegment));
    const more = call.given.list('location').filter((name) => !known.has(lastSegment(name)));
    return placedIn([...links, ...more.map((name) => linkOf(api, 'location', name))]);
  });
}

/** `gvc remove-location REF --location NAME…`. */
export function runRemoveGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const links = locationLinks(record);
    const gone = new Set(namesThere(call, links.map(lastSegment)));
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
function namesThere({ given }: Call, there: readonly string[]): readonly string[] {
  const names = given.list('location').map((text) => locationOf(text).name);
  const missing = names.find((name) => !there.includes(name));
  if (missing === undefined) return names;
  throw new UsageError(`the location ${missing} is not in the list`, available(there));
}

/** `NAME[,RETENTION]`. */
function locationOf(text: string): { readonly name: string; readonly retentionPolicy?: string } {
  const [name = '', retentionPolicy] = text.split(',');
  if (retentionPolicy !== undefined && retentionPolicy !== 'keep' && retentionPolicy !== 'free') {
    throw new UsageError(
      `${JSON.stringify(retentionPolicy)} is not a retention policy`,
      'Give NAME, NAME,keep or NAME,free.',
    );
  }
  return { name: lastSegment(name), ...(retentionPolicy === undefined ? {} : { retentionPolicy }) };
}

/** The items of `spec.locations` of an IP set for `--location NAME[,RETENTION]`; kept unless it says otherwise. */
export function ipSetLocations(call: Call, link: (name: string) => string): readonly JsonObject[] {
  return call.given.list('location').map((text) => {
    const { name, retentionPolicy = 'keep' } = locationOf(text);
    return { name: link(name), retentionPolicy };
  });
}

/** `ipset add-location` and `update-location`: others stay, those of the same name are replaced. */
export function runSetIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    if (call.verb === 'update-location') namesThere(call, before.map(nameAt));
    const named = ipSetLocations(call, (name) => linkOf(api, 'location', name));
    const names = new Set(named.map(nameAt));
    return { spec: { locations: [...before.filter((item) => !names.has(nameAt(item))), ...named] } };
  });
}

/** `ipset remove-location`. */
export function runRemoveIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    const gone = new Set(namesThere(call, before.map(nameAt)));
    return { spec: { locations: before.filter((item) => !gone.has(nameAt(item))) } };
  });
}
