import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import {
  at,
  type ClientFacts,
  lastNames,
  locationsOption,
  locationsThere,
  type OptionLinks,
  type OptionRow,
  type OptionValues,
  required,
  type Verb,
} from '../common/client.ts';

const locationsWithRetention: OptionRow = {
  flags: '--location <name[,retention]>',
  about: 'a location, and whether its address is kept (the default) or free when it goes: NAME,keep or NAME,free',
  isRepeatable: true,
  names: { kinds: ['location'], refIn: (value) => value.split(',')[0] },
};

export const ipsetClient: ClientFacts = {
  columns: [
    'name',
    'description',
    { title: 'LINK', rank: 2, of: (record) => at(record, 'spec', 'link') },
    lastNames('LOCATIONS', (record) =>
      listAt(objectAt(record, 'spec'), 'locations').map((each) => (isObject(each) ? (own(each, 'name') ?? '') : '')),
    ),
    'tags',
  ],
  createOptions: [
    {
      flags: '--link <workload>',
      about: 'the workload or GVC that uses it',
      names: { kinds: ['workload', 'gvc'], inAnyGvc: true },
    },
    locationsWithRetention,
  ],
  create: (options, links) => ({
    spec: { ...present({ link: links.of('link')[0] }), locations: namedLocations(options, links) },
  }),
  verbs: [
    setting('add-location', 'add locations', () => {}),
    setting('update-location', 'change whether addresses of locations are kept', (before, links) =>
      locationsThere(links.of('location'), before.map(nameAt)),
    ),
    {
      verb: 'remove-location',
      about: 'remove locations',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      change: (record, _options, links) => {
        const before = locationsOf(record);
        const gone = locationsThere(links.of('location'), before.map(nameAt));
        return { spec: { locations: before.filter((item) => !gone.has(nameAt(item))) } };
      },
    },
  ],
};

/** Locations of the same name are replaced, others stay. */
function setting(
  verb: string,
  about: string,
  check: (before: readonly JsonObject[], links: OptionLinks) => unknown,
): Verb {
  return {
    verb,
    about,
    args: ['<ref>'],
    options: [required(locationsWithRetention)],
    calls: 'GET item, PATCH item with the whole list',
    change: (record, options, links) => {
      const before = locationsOf(record);
      check(before, links);
      const named = namedLocations(options, links);
      const names = new Set(named.map(nameAt));
      return { spec: { locations: [...before.filter((item) => !names.has(nameAt(item))), ...named] } };
    },
  };
}

function locationsOf(record: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
}

function nameAt(item: JsonObject): string {
  return lastSegment(stringAt(item, 'name') ?? '');
}

/** The items of `spec.locations` for `--location NAME[,RETENTION]`; the default retention is to keep. */
function namedLocations(options: OptionValues, links: OptionLinks): readonly JsonObject[] {
  const texts = options.list('location');
  const named = links.each('location');
  const names = named.map(lastSegment);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new UsageError(`--location names ${repeated} twice`, 'Name each location once.');
  return named.map((name, index) => {
    const [, retentionPolicy = 'keep', ...others] = (texts[index] ?? '').split(',');
    if ((retentionPolicy === 'keep' || retentionPolicy === 'free') && others.length === 0) {
      return { name, retentionPolicy };
    }
    throw new UsageError(
      `${JSON.stringify([retentionPolicy, ...others].join(','))} is not a retention policy`,
      'Give NAME, NAME,keep or NAME,free.',
    );
  });
}
