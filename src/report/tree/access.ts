import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { inWords } from '../../base/text/inWords.ts';
import type { AccessChange } from '../../plan/model/change.ts';
import { type LineNode, type Node, plainText } from './tree.ts';

/** Who gains and who loses what, a line for each principal and permission; nothing where nobody does. */
export function accessNodes(access: readonly AccessChange[] = []): readonly Node[] {
  if (access.length === 0) return [];
  return [{ node: 'group', title: ['access:'], children: () => linesOf(access) }];
}

/** The first of these lines; undefined: there is none. */
export function accessBrief(access: readonly AccessChange[] = []): string | undefined {
  const [first, ...others] = linesOf(access);
  if (first === undefined) return undefined;
  return `${plainText(first.line).replaceAll('  ', ' ')}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

const mostTargets = 5;

function linesOf(access: readonly AccessChange[]): readonly LineNode[] {
  // Each address has a line of its own: none may hide behind others.
  const alike = Map.groupBy(access, ({ target, ...others }) => JSON.stringify([others, isTraffic(others) && target]));
  return [...alike.values()].flatMap((entries): readonly LineNode[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const gained = first.change === 'gained';
    const target = firstOf(
      entries.map((each) => each.target),
      mostTargets,
    );
    const text = textOf({ ...first, target });
    return [{ node: 'line', tone: gained ? 'add' : 'remove', line: [gained ? '+ ' : '- ', { name: text }] }];
  });
}

function isTraffic({ permission }: Pick<AccessChange, 'permission'>): boolean {
  return permission === 'inbound' || permission === 'outbound';
}

/** `reveal  group/ops on secret/db (3 users through group/ops; still through policy/readers)`. */
function textOf({ change, principal, permission, target, through, also, members }: AccessChange): string {
  if (isTraffic({ permission })) return `${permission} from ${principal} to ${target}`;
  // Its target is the group at which the line stands.
  if (permission === 'member') return `member  ${principal}`;
  const by = through === undefined ? membersText(members) : '';
  const group = through ?? (by === '' ? undefined : principal);
  const notes = [
    ...(group === undefined ? [] : [`${by}through ${group}`]),
    ...(also === undefined
      ? []
      : [`${change === 'lost' ? 'still' : 'already'} through ${inWords(Object.values(also), 'and')}`]),
  ];
  return `${permission}  ${principal} on ${target}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** `3 users and 1 service account `; empty where nothing is known of members. */
function membersText(members: AccessChange['members']): string {
  if (members === undefined) return '';
  const { users, serviceAccounts, more } = members;
  const counts = [
    ...(users === 0 && serviceAccounts > 0 ? [] : [counted(users, 'user')]),
    ...(serviceAccounts === 0 ? [] : [counted(serviceAccounts, 'service account')]),
  ].join(' and ');
  return `${more === true ? 'at least ' : ''}${counts} `;
}
