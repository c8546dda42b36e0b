import { type Kind, principalKinds } from '../../schema/record/kinds.ts';
import type { CommandRow, OptionRow } from '../call/command.ts';
import { createRow } from './create.ts';
import {
  askOptions,
  danglingOption,
  descriptionOption,
  ipSetLocations,
  locationsOption,
  members,
  required,
} from './options.ts';
import { volumeSetRows } from './volumeset.ts';
import { workloadRows } from './workload.ts';

const locations = () => import('../run/locations.ts');

const binding: readonly OptionRow[] = [
  {
    flags: '--permission <name>',
    about: 'a permission of the target kind',
    many: true,
    required: true,
    completes: 'permissions',
  },
  {
    flags: '--principal <link>',
    about: 'who gets it: an e-mail address, group/NAME, serviceaccount/NAME, //gvc/GVC/identity/NAME',
    many: true,
    required: true,
    names: { kinds: principalKinds, inAnyGvc: true },
  },
];

/** Commands that only one kind has (platform/clients.kinds). */
const special: Partial<Record<Kind, readonly CommandRow[]>> = {
  gvc: [
    {
      verb: 'add-location',
      about: 'add locations',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      load: async () => (await locations()).runAddGvcLocation,
    },
    {
      verb: 'remove-location',
      about: 'remove locations, and stop what runs there',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      load: async () => (await locations()).runRemoveGvcLocation,
    },
    {
      verb: 'delete-all-workloads',
      about: 'delete every workload in a GVC',
      args: ['<ref>'],
      options: [danglingOption, ...askOptions],
      result: 'items',
      calls: 'GET item, GET item/workload, GET collections of what may need them, DELETE each',
      load: async () => (await import('../run/remove.ts')).runDeleteWorkloads,
    },
  ],
  workload: workloadRows,
  volumeset: volumeSetRows,
  ipset: [
    ...(['add-location', 'update-location'] as const).map(
      (verb): CommandRow => ({
        verb,
        about: verb === 'add-location' ? 'add locations' : 'change whether addresses of locations are kept',
        args: ['<ref>'],
        options: [required(ipSetLocations)],
        calls: 'GET item, PATCH item with the whole list',
        load: async () => (await locations()).runSetIpSetLocation,
      }),
    ),
    {
      verb: 'remove-location',
      about: 'remove locations',
      args: ['<ref>'],
      options: [required(locationsOption)],
      calls: 'GET item, PATCH item with the whole list',
      load: async () => (await locations()).runRemoveIpSetLocation,
    },
  ],
  group: [
    {
      verb: 'add-member',
      about: 'add users and service accounts',
      args: ['<ref>'],
      options: members,
      calls: 'GET user/-for/email/{email} each, PATCH item $append/memberLinks',
      load: async () => (await import('../run/members.ts')).runAddMember,
    },
    {
      verb: 'remove-member',
      about: 'remove users and service accounts',
      args: ['<ref>'],
      options: members,
      calls: 'GET item, PATCH item $drop/memberLinks',
      load: async () => (await import('../run/members.ts')).runRemoveMember,
    },
  ],
  serviceaccount: [
    {
      verb: 'add-key',
      about: 'add a key; it is shown only once',
      args: ['<ref>'],
      options: [required({ ...descriptionOption, about: 'what the key is for' })],
      result: 'items',
      calls: 'POST item/-addKey',
      load: async () => (await import('../run/keys.ts')).runAddKey,
    },
    {
      verb: 'remove-key',
      about: 'revoke keys',
      args: ['<ref>'],
      options: [{ flags: '--key <name>', about: 'name of the key', many: true, required: true, completes: 'keys' }],
      calls: 'GET item, PATCH item $drop/keys',
      load: async () => (await import('../run/keys.ts')).runRemoveKey,
    },
  ],
  policy: [
    {
      verb: 'add-binding',
      about: 'grant permissions to principals',
      args: ['<ref>'],
      options: binding,
      calls: 'GET item, PATCH item with all bindings',
      examples: [['gantry policy add-binding web --permission view --principal group/admins', '']],
      load: async () => (await import('../run/bindings.ts')).runAddBinding,
    },
    {
      verb: 'remove-binding',
      about: 'take permissions from principals',
      args: ['<ref>'],
      options: binding,
      calls: 'GET item, PATCH item with all bindings',
      load: async () => (await import('../run/bindings.ts')).runRemoveBinding,
    },
  ],
  task: [
    {
      verb: 'get-mine',
      about: 'list your tasks in all orgs',
      calls: 'GET /task/-forme',
      load: async () => (await import('../run/tasks.ts')).runGetMine,
    },
    {
      verb: 'complete',
      about: 'answer a task',
      args: ['<id>'],
      options: [{ flags: '--answer <answer>', about: 'the answer', choices: ['accept', 'reject'], required: true }],
      calls: 'POST /task/{id}',
      load: async () => (await import('../run/tasks.ts')).runCompleteTask,
    },
  ],
};

/** The commands of one kind alone. */
export function ownRows(kind: Kind): readonly CommandRow[] {
  const create = createRow(kind);
  return [...(create === undefined ? [] : [create]), ...(special[kind] ?? [])];
}
