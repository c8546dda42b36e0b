import { type JsonObject, listAt, objectAt } from '../../base/json/json.ts';
import { nonEmpty, present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import {
  type ClientFacts,
  envOf,
  envOption,
  lastNames,
  locationsOption,
  locationsThere,
  member,
  queryOptions,
  required,
} from '../common/client.ts';

export const gvcClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'created',
    member('ALIAS', 'alias'),
    member('DOMAIN', 'spec', 'domain'),
    lastNames('LOCATIONS', locationLinks),
    'tags',
  ],
  createOptions: [
    { ...locationsOption, about: 'a location (required without a query or --file)' },
    envOption,
    ...queryOptions('query-'),
  ],
  create: (options, links) => {
    const locations = links.of('location');
    const locationQuery = links.query('location');
    if (locations.length === 0 && locationQuery === undefined) {
      throw new UsageError(
        '--location NAME is missing',
        'Give --location NAME (repeatable); gantry location get lists them.',
      );
    }
    const env = envOf(options.list('env'));
    return {
      spec: {
        staticPlacement: { locationLinks: locations, ...present({ locationQuery }) },
        ...nonEmpty({ env }),
      },
    };
  },
  verbs: [
    {
      verb: 'add-location',
      about: 'add locations',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      /** Sends the full list (platform/patch.clients). */
      change: (record, _options, links) => {
        const before = locationLinks(record);
        const known = new Set(before.map(lastSegment));
        return placedIn([...before, ...links.of('location').filter((link) => !known.has(lastSegment(link)))]);
      },
    },
    {
      verb: 'remove-location',
      about: 'remove locations, and stop what runs there',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      change: (record, _options, links) => {
        const before = locationLinks(record);
        const gone = locationsThere(links.of('location'), before.map(lastSegment));
        return placedIn(before.filter((link) => !gone.has(lastSegment(link))));
      },
    },
    {
      verb: 'delete-all-workloads',
      about: 'delete every workload in a GVC',
      args: ['<ref>'],
      deletes: true,
      result: 'items',
      calls: 'GET item, GET item/workload, GET collections of what may need them, DELETE each',
      run: 'deleteWorkloads',
    },
  ],
};

function locationLinks(record: JsonObject): readonly string[] {
  return listAt(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationLinks').map(String);
}

function placedIn(locationLinks: readonly string[]): JsonObject {
  return { spec: { staticPlacement: { locationLinks } } };
}
