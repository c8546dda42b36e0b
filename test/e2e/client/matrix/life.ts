import { genericRows } from '../../../../src/commands/table/generic.ts';
import { type CreatableKind, creatableKinds, isGvcScoped, type Kind } from '../../../../src/schema/record/kinds.ts';
import { type Step, stepOf } from './step.ts';

/** The arguments after `create --name NAME` for each kind. */
const creations: Readonly<Record<CreatableKind, string>> = {
  agent: '',
  auditctx: '',
  cloudaccount: '--provider aws --role-arn arn:aws:iam::123456789012:role/x',
  domain: '',
  group: '--query-property email=ann@example.com',
  gvc: '--location aws-us-west-2 --env A=b --tag team=web',
  identity: '',
  ipset: '--location aws-us-west-2',
  location: '',
  policy: '--target-kind gvc --all',
  secret: '--file -',
  serviceaccount: '',
  volumeset: '',
  workload: '--image shop/web:1 --public --env A=b',
};

/** Kinds in the order in which their records can be made. */
const first: readonly CreatableKind[] = ['gvc', 'identity', 'volumeset'];
const order: readonly CreatableKind[] = [...first, ...creatableKinds.filter((kind) => !first.includes(kind))];

export function nameOf(kind: Kind, mark: string): string {
  return kind === 'domain' ? `${mark}.example.com` : `${kind}-${mark}`;
}

function inGvc(kind: Kind, mark: string): string {
  return isGvcScoped(kind) ? `--gvc ${nameOf('gvc', mark)}` : '';
}

export function createAll(mark: string): readonly Step[] {
  return order.map((kind) =>
    stepOf(`${kind} create --name ${nameOf(kind, mark)} ${inGvc(kind, mark)} ${creations[kind]}`, {
      says: `^${nameOf(kind, mark)} `,
      ...(kind === 'secret' ? { input: '{type: dictionary, data: {a: b}}' } : {}),
    }),
  );
}

export function useAll(mark: string): readonly Step[] {
  return order.flatMap((kind) => use(kind, nameOf(kind, mark), mark));
}

/** Audit contexts stay: the platform cannot delete them. */
export function deleteAll(mark: string): readonly Step[] {
  const deleted = order.filter((kind) => kind !== 'auditctx');
  return deleted.toReversed().flatMap((kind) => {
    const name = nameOf(kind, mark);
    const line = `${kind} delete ${name} --yes ${inGvc(kind, mark)} ${kind === 'gvc' ? '--force' : ''}`;
    const step = stepOf(line, { says: `^Deleted ${kind} '${name}'$` });
    if (kind !== 'workload') return [step];
    return [step, stepOf(`gvc delete-all-workloads gvc-${mark} --yes`, { says: `^Deleted .*/workload/job-${mark}$` })];
  });
}

/** Every command that kinds share except the deletion, run on one record. */
export function use(kind: Kind, name: string, mark: string): readonly Step[] {
  const calls: Readonly<Record<string, { readonly words: string; readonly says?: string; readonly input?: string }>> = {
    get: { words: name, says: `^${name} ` },
    query: { words: kind === 'task' ? '--property type=user' : `--property name=${name}` },
    permissions: { words: '', says: '^manage .*view' },
    'access-report': { words: name, says: '^PERMISSION +PRINCIPAL +GRANTED THROUGH$' },
    eventlog: { words: name },
    audit: { words: name },
    patch: { words: `${name} --file -`, input: 'description: patched', says: ' patched ' },
    edit: { words: name, says: ' edited ' },
    update: { words: `${name} --set description=updated`, says: ' updated ' },
    tag: { words: `${name} --tag by=hand --remove-tag other`, says: kind === 'image' ? name : 'by=hand' },
    clone: { words: `${name} --name ${kind === 'domain' ? `copy.${name}` : `${name}-copy`}` },
  };
  return genericRows(kind)
    .filter(({ verb }) => verb !== 'delete')
    .map(({ verb }) => {
      const call = calls[verb];
      if (call === undefined) throw new Error(`no call of ${verb} is known`);
      const { words, ...more } = call;
      return stepOf(`${kind} ${verb} ${words} ${inGvc(kind, mark)}`, more);
    });
}

export const editor = "sed -i -e 's/^description:.*/description: edited/'";
