import { isObject, type JsonValue, listAt, sameJson } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { UsageError } from '../../base/usageError.ts';
import { kindNamed, principalKinds } from '../../schema/record/kinds.ts';
import { type ClientFacts, member, type OptionRow, queryOptions, unlessFile } from '../common/client.ts';

const binding: readonly OptionRow[] = [
  {
    flags: '--permission <name>',
    about: 'a permission of the target kind',
    isRepeatable: true,
    required: true,
    completes: 'permissions',
  },
  {
    flags: '--principal <link>',
    about: 'who gets it: an e-mail address, group/NAME, serviceaccount/NAME, //gvc/GVC/identity/NAME',
    isRepeatable: true,
    required: true,
    names: { kinds: principalKinds, inAnyGvc: true },
  },
];

export const policyClient = (targetKinds: readonly string[]): ClientFacts => ({
  columns: [
    'name',
    'description',
    { ...member('TARGET KIND', 'targetKind'), shortTitle: 'KIND' },
    { title: 'BINDINGS', rank: 2, of: (record) => String(listAt(record, 'bindings').length) },
    'origin',
    'tags',
  ],
  createOptions: [
    unlessFile({
      flags: '--target-kind <kind>',
      about: 'kind of the records that the policy applies to',
      choices: targetKinds,
    }),
    {
      flags: '--target <ref>',
      about: 'a record that the policy applies to',
      isRepeatable: true,
      names: { kinds: '--target-kind', inAnyGvc: true },
    },
    { flags: '--all', about: 'apply the policy to all records of the kind' },
    ...queryOptions('query-'),
  ],
  create: (options, links) => {
    const targetKind = kindNamed(options.text('targetKind'));
    if (targetKind === undefined)
      throw new UsageError('--target-kind KIND is missing', 'Give --target-kind KIND, or --file FILE.');
    const targetQuery = links.query(targetKind);
    return {
      targetKind,
      ...(options.flag('all') ? { target: 'all' } : {}),
      ...present({ targetLinks: options.list('target').length === 0 ? undefined : links.of('target'), targetQuery }),
      bindings: [],
    };
  },
  verbs: [
    {
      verb: 'add-binding',
      about: 'grant permissions to principals',
      args: ['<ref>'],
      options: binding,
      calls: 'GET item, PATCH item with all bindings',
      examples: [['gantry policy add-binding web --permission view --principal group/admins', '']],
      /**
       * Sends the full list. Principals join the binding with the same permissions, because two such bindings are
       * refused (platform/policy.bindings).
       */
      change: (record, options, links) => {
        const permissions = [...new Set(options.list('permission'))];
        const principals = links.of('principal');
        const bindings = listAt(record, 'bindings').filter(isObject);
        const same = bindings.find((each) => hasSame(listAt(each, 'permissions').map(String), permissions));
        if (same === undefined) return { bindings: [...bindings, { permissions, principalLinks: principals }] };
        const principalLinks = [...new Set([...listAt(same, 'principalLinks').map(String), ...principals])];
        return { bindings: bindings.map((each) => (each === same ? { ...same, principalLinks } : each)) };
      },
    },
    {
      verb: 'remove-binding',
      about: 'take permissions from principals',
      args: ['<ref>'],
      options: binding,
      calls: 'GET item, PATCH item with all bindings',
      /** Removes the named permissions from every binding, and bindings without permissions. */
      change: (record, options, links) => {
        const permissions = new Set(options.list('permission'));
        const removedPrincipals = new Set(links.of('principal'));
        let isFound = false;
        const bindings = compact(listAt(record, 'bindings').filter(isObject), (each): JsonValue | undefined => {
          const granted = listAt(each, 'permissions').map(String);
          const to = listAt(each, 'principalLinks').map(String);
          const left = to.filter((link) => !removedPrincipals.has(link));
          if (!granted.every((permission) => permissions.has(permission)) || left.length === to.length) return each;
          isFound = true;
          return left.length === 0 ? undefined : { ...each, principalLinks: left };
        });
        if (!isFound) {
          throw new UsageError(
            'no binding gives these permissions to these principals',
            'Look at it: gantry policy get REF -o yaml.',
          );
        }
        return { bindings };
      },
    },
  ],
});

function hasSame(some: readonly string[], others: readonly string[]): boolean {
  return sameJson([...new Set(some)].toSorted(), [...others].toSorted());
}
