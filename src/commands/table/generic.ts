import {
  askOptions,
  bodyFileOption,
  descriptionOption,
  nameOption,
  type OptionRow,
  queryOptions,
  required,
  tagOption,
} from '../../kinds/common/client.ts';
import { hiddenField, isUndeletable, kindsDeletedInUse, verbsOf } from '../../kinds/kindFacts.ts';
import { aKind, wordsOf } from '../../kinds/kindWords.ts';
import { isContainer, isGvcScoped, type Kind } from '../../schema/record/kinds.ts';
import type { CommandRow } from '../call/command.ts';
import { danglingOption, watchOptions } from './options.ts';

/** The kinds that can change a record; a bare name is that of a service account (platform/clients.grammar). */
const subjects = ['serviceaccount', 'user', 'identity'] as const;

const allGvcs: OptionRow = { flags: '--all-gvcs', about: 'include all GVCs of the org' };

/** The verbs of all kinds, as rows of a table; `genericRows` selects those of a kind. */
const verbs: Readonly<Record<string, (kind: Kind) => CommandRow>> = {
  get: (kind) => ({
    verb: 'get',
    about: `show one, several or all ${wordsOf(kind).plural}`,
    args: ['[ref...]'],
    options: [...(isGvcScoped(kind) ? [allGvcs] : []), ...watchOptions],
    calls: 'GET collection and its next pages, or GET item each',
    examples: [
      [`gantry ${kind} get`, 'all of them, as a table'],
      [`gantry ${kind} get NAME -o yaml-slim`, 'one, in the form that can be applied again'],
    ],
    load: async () => (await import('../run/get.ts')).runGet,
  }),
  query: (kind) => ({
    verb: 'query',
    about: `show the ${wordsOf(kind).plural} that match`,
    options: [...queryOptions(), ...(isGvcScoped(kind) ? [allGvcs] : [])],
    calls: 'POST /org/{org}/KIND/-query and its next pages',
    examples: [[`gantry ${kind} query --tag team=web --property 'name~shop'`, 'both must match']],
    load: async () => (await import('../run/get.ts')).runQuery,
  }),
  edit: (kind) => ({
    verb: 'edit',
    about: `change ${wordsOf(kind).plural} in an editor`,
    args: ['<ref...>'],
    options: [
      { flags: '--replace', about: 'replace the whole record instead of patching it' },
      { flags: '-y, --yes', about: 'do not ask before it is sent' },
    ],
    calls: 'GET item, then PATCH item with the smallest patch (PUT with --replace)',
    load: async () => (await import('../run/edit.ts')).runEdit,
  }),
  patch: (kind) => ({
    verb: 'patch',
    about: 'send a patch document as it is',
    args: ['<ref>'],
    options: [required({ ...bodyFileOption, about: 'the patch as YAML or JSON; - is standard input' })],
    calls: 'PATCH item',
    examples: [[`echo '{"description": "new"}' | gantry ${kind} patch NAME --file -`, 'from standard input']],
    load: async () => (await import('../run/write.ts')).runPatch,
  }),
  update: (kind) => ({
    verb: 'update',
    about: 'set or remove fields',
    args: ['<ref>'],
    options: [
      {
        flags: '--set <path=value>',
        about: 'set a field; += adds to a list, -= removes from it',
        isRepeatable: true,
        completes: 'paths',
      },
      { flags: '--unset <path>', about: 'remove a field', isRepeatable: true, completes: 'paths' },
    ],
    calls: 'GET item, PATCH item with its version',
    examples: [[`gantry ${kind} update NAME --set description=new --set tags.team=web`, 'two fields at once']],
    load: async () => (await import('../run/write.ts')).runUpdate,
  }),
  clone: (kind) => ({
    verb: 'clone',
    about: `copy ${aKind(kind)} under another name`,
    args: ['<ref>'],
    options: [required(nameOption), descriptionOption, tagOption],
    calls: 'GET item, POST collection, GET Location',
    examples: [[`gantry ${kind} clone NAME --name OTHER`, '']],
    load: async () => (await import('../run/write.ts')).runClone,
  }),
  tag: (kind) => ({
    verb: 'tag',
    about: 'set and remove tags',
    args: ['<ref...>'],
    options: [tagOption, { flags: '--remove-tag <key>', about: 'remove a tag', isRepeatable: true, completes: 'tags' }],
    calls: 'PATCH item',
    examples: [[`gantry ${kind} tag NAME --tag team=web --remove-tag old`, '']],
    load: async () => (await import('../run/write.ts')).runTag,
  }),
  delete: (kind) => ({
    verb: 'delete',
    about: `delete ${wordsOf(kind).plural}, after showing what is deleted with them`,
    args: ['<ref...>'],
    options: [
      ...(isContainer(kind)
        ? [{ flags: '--force', about: 'delete what is in it first: workloads, volume sets, identities' }]
        : []),
      ...(kindsDeletedInUse.includes(kind) ? [danglingOption] : []),
      ...askOptions,
    ],
    result: 'items',
    calls: 'GET item each, GET collections of what may need it, DELETE item each',
    load: async () => (await import('../run/remove.ts')).runDelete,
  }),
  permissions: (kind) => ({
    verb: 'permissions',
    about: `list what policies can grant on ${wordsOf(kind).plural}`,
    result: 'items',
    calls: 'GET /org/{org}/KIND/-schema/permissions',
    load: async () => (await import('../run/get.ts')).runPermissions,
  }),
  'access-report': (kind) => ({
    verb: 'access-report',
    about: `show who may do what with ${aKind(kind)}, and by which policy`,
    args: ['<ref>'],
    result: 'document',
    calls: 'GET item/-accessreport',
    load: async () => (await import('../run/get.ts')).runAccessReport,
  }),
  eventlog: (kind) => ({
    verb: 'eventlog',
    about: `show the events of ${aKind(kind)}`,
    args: ['<ref>'],
    result: 'items',
    calls: 'GET item/-eventlog and its next pages',
    load: async () => (await import('../run/get.ts')).runEventLog,
  }),
  audit: (kind) => ({
    verb: 'audit',
    about: `show who changed ${aKind(kind)}, or any of them`,
    args: ['[ref]'],
    options: [
      {
        flags: '--subject <who>',
        about: 'an e-mail address, a link, or the name of a service account',
        names: { kinds: subjects, inAnyGvc: true, refIn: (value) => (/^[^/]*@/.test(value) ? undefined : value) },
      },
      {
        flags: '--context <name>',
        about: "the audit context (default: the platform's own)",
        names: { kinds: ['auditctx'] },
      },
      { flags: '--since <time>', about: 'how far back: 7d, 1h, 30m (default: 7d; excludes --from and --to)' },
      { flags: '--from <time>', about: 'start of the time range: ISO 8601, or how long ago (7d, 1h, 30m)' },
      { flags: '--to <time>', about: 'end of the time range' },
    ],
    result: 'items',
    calls: 'GET item, GET {audit}/audit/org/{org}[/resource/id/{id}]',
    examples: [[`gantry ${kind} audit NAME --since 30d`, '']],
    load: async () => (await import('../run/audit.ts')).runAudit,
  }),
};

/** The commands that a kind shares with others. */
export function genericRows(kind: Kind): readonly CommandRow[] {
  // A secret is read without its values, so it cannot be copied.
  const isCopied = hiddenField(kind) === undefined;
  const isDeleted = !isUndeletable(kind, {});
  const names =
    verbsOf(kind) ??
    Object.keys(verbs).filter((verb) => (verb !== 'clone' || isCopied) && (verb !== 'delete' || isDeleted));
  return names.flatMap((name) => verbs[name]?.(kind) ?? []);
}
