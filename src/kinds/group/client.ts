import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import { type ClientFacts, cellText, type OptionRow, queryOptions } from '../common/client.ts';

const members: readonly OptionRow[] = [
  { flags: '--email <address>', about: 'a user', isRepeatable: true, names: { kinds: ['user'] } },
  {
    flags: '--serviceaccount <name>',
    about: 'a service account',
    isRepeatable: true,
    names: { kinds: ['serviceaccount'] },
  },
];

export const groupClient: ClientFacts = {
  columns: [
    'name',
    'description',
    'created',
    { title: 'FILTER', rank: 3, isProse: true, of: filterOf },
    'origin',
    'tags',
  ],
  createOptions: [
    ...members,
    ...queryOptions('query-'),
    {
      flags: '--query-kind <kind>',
      about: 'kind of the records that the query finds',
      choices: ['user'],
      defaultText: 'user',
    },
  ],
  create: (_options, links) => ({
    memberLinks: [...links.of('email'), ...links.of('serviceaccount')],
    ...present({ memberQuery: links.query('user') }),
  }),
  verbs: [
    {
      verb: 'add-member',
      about: 'add users and service accounts',
      args: ['<ref>'],
      options: members,
      calls: 'GET user/-for/email/{email} each, PATCH item $append/memberLinks',
      run: 'addMember',
    },
    {
      verb: 'remove-member',
      about: 'remove users and service accounts',
      args: ['<ref>'],
      options: members,
      calls: 'GET item, PATCH item $drop/memberLinks',
      run: 'removeMember',
    },
  ],
};

function filterOf(record: JsonObject): string {
  const links = listAt(record, 'memberLinks').map((link) => lastSegment(cellText(link)));
  const terms = listAt(objectAt(objectAt(record, 'memberQuery'), 'spec'), 'terms')
    .filter(isObject)
    .map((term) => {
      const key = stringAt(term, 'property') ?? stringAt(term, 'tag') ?? stringAt(term, 'rel') ?? '';
      return `${key}${stringAt(term, 'op') ?? '='}${cellText(own(term, 'value'))}`;
    });
  return [...links, ...terms].join(' ');
}
