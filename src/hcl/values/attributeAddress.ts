import { namesOfPath } from '../../schema/shape/paths.ts';
import type { Form, ListForm, Member } from '../schema/form.ts';

/**
 * A path of a record as an expression behind the address of its block, `gantry_workload.web.status.canonical_endpoint`;
 * undefined: no attribute is there.
 */
export function attributeAddress(address: string, members: readonly Member[], path: string): string | undefined {
  return among(address, members, namesOfPath(path));
}

type Names = readonly string[];

function among(at: string, members: readonly Member[], [field, ...rest]: Names): string | undefined {
  const member = members.find((each) => each.field === field);
  return member && below(`${at}.${member.name}`, member.form, rest);
}

function below(at: string, form: Form, names: Names): string | undefined {
  const [name, ...rest] = names;
  if (form.is === 'choice') return undefined;
  if (name === undefined) return at;
  switch (form.is) {
    case 'object':
      return among(at, form.members, names);
    case 'map':
      return below(`${at}[${JSON.stringify(name)}]`, form.value, rest);
    case 'entries':
      return rest.length === 1 && rest[0] === form.field ? `${at}[${JSON.stringify(name)}]` : undefined;
    case 'list':
      return inList(at, form, name, rest);
    default:
      return undefined;
  }
}

/** An item by its position, or by its key where that is one field, compared as it is written. */
function inList(at: string, { item, shape }: ListForm, name: string, rest: Names): string | undefined {
  const { list } = shape.facts;
  if (list?.class !== 'keyed') return /^\d+$/.test(name) ? below(`${at}[${name}]`, item, rest) : undefined;
  const [part, second] = list.key.parts;
  const isPlain = second === undefined && part?.fields.length === 1 && list.key.compare === undefined;
  const key = isPlain && item.is === 'object' ? item.members.find(({ field }) => field === part.fields[0]) : undefined;
  const inside = below('each', item, rest);
  if (key === undefined || inside === undefined) return undefined;
  const wanted = key.form.is === 'number' ? name : JSON.stringify(name);
  return `one([for each in ${at} : ${inside} if each.${key.name} == ${wanted}])`;
}
