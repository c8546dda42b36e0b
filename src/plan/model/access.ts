import { choice, count, described, list, type Of, object, optional, text } from '../../base/form/form.ts';

const change = object({
  change: choice('gained', 'lost'),
  principal: described(
    'Who: group/ops, user/ana@example.com, identity/shop/web, users where tag team = ops; of traffic the side that begins it: an address, a workload, every workload of a GVC or of the org.',
    text,
  ),
  permission: described('What a policy permits; member: of a group; inbound, outbound: traffic.', text),
  target: described('On what: secret/db, every secret, workload/shop/web:443.', text),
  through: optional(described('The group by which the principal has it.', text)),
  also: optional(
    described(
      'Another policy that grants the same: after the change where it is lost, before it where it is gained. Only policies and groups that were read are known. through: the group by which.',
      object({ policy: text, through: optional(text) }),
    ),
  ),
  members: optional(
    described(
      'Of a principal that is a group whose record was read: its members. more: others match its query.',
      object({ users: count, serviceAccounts: count, more: optional(choice(true)) }),
    ),
  ),
});

/** Who gains and who loses what by a change. */
export const accessForm = described(
  'Who gains and who loses what: by policies, groups and firewalls. Absent where nobody does.',
  list(change),
);
export type AccessChange = Of<typeof change>;
