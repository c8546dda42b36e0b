import { Option } from 'commander';
import type { OptionRow } from '../../kinds/common/client.ts';
import { type RefScope, readRef, refForms, type WrongRef } from '../../kinds/readRef.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { linkOf, type Ref } from '../../schema/record/ref.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api } from './api.ts';
import type { Call, CommandRow, Given } from './command.ts';
import { kindOf } from './input.ts';

/** The kinds that a REF may name, and the option that takes it. */
interface Wanted {
  readonly kinds: RefScope['kinds'];
  readonly inAnyGvc?: boolean;
  readonly option?: string;
}

/** The record that a REF names. Errors: `cli.usage` if it names something else than the option accepts. */
export function refOf({ org, gvc }: Pick<Api, 'org' | 'gvc'>, text: string, wanted: Wanted): Ref {
  const { kinds, option } = wanted;
  const read = readRef(text, { org, gvc, kinds, inAnyGvc: wanted.inAnyGvc });
  if ('ref' in read) return read.ref;
  const { wrong } = read;
  throw new UsageError(option === undefined ? wrong.message : `${option}: ${wrong.message}`, hintFor(wrong, kinds));
}

function hintFor({ why, other }: WrongRef, kinds: RefScope['kinds']): string {
  switch (why) {
    case 'form':
    case 'kind':
      return `Give ${refForms(kinds)}.`;
    case 'org':
      return `Give --org ${other}, or the link of a record in the org of this command.`;
    case 'gvc':
      return `Give --gvc ${other}, or the link of a record in the GVC of this command.`;
    case 'no-gvc':
      return 'Give --gvc NAME, GANTRY_GVC, gvc in gantry.yaml or in the profile; gantry gvc get lists them.';
  }
}

/** The records that the arguments of a command name; empty if the arguments are not REFs. */
export function argumentRefs(call: Call, api: Api): readonly Ref[] {
  if (!namesRecords(call.row)) return [];
  const kinds = [kindOf(call)] as const;
  return call.args.map((text) => refOf(api, text, { kinds }));
}

/** Whether the arguments of the command are REFs. */
function namesRecords({ args = [] }: Pick<CommandRow, 'args'>): boolean {
  return args.some((arg) => /^[<[](?:ref|id)\b/.test(arg));
}

/** The records that the values of an option name. */
export function optionRefs(call: Call, api: Api, option: string): readonly Ref[] {
  const row = (call.row.options ?? []).find((each) => attributeOf(each) === option);
  return row === undefined ? [] : refsOf(call, api, row);
}

/** The same as links, without duplicates. */
export function optionLinks(call: Call, api: Api, option: string): readonly string[] {
  return [...new Set(optionRefs(call, api, option).map((ref) => linkOf(ref, api.org)))];
}

/** The same as names, without duplicates. */
export function optionNames(call: Call, api: Api, option: string): readonly string[] {
  return [...new Set(optionRefs(call, api, option).map(({ name }) => name))];
}

function refsOf({ given }: Call, api: Api, row: OptionRow): readonly Ref[] {
  const { names } = row;
  const kinds = names?.kinds === '--target-kind' ? targetKind(given) : names?.kinds;
  if (names === undefined || kinds === undefined) return [];
  const option = attributeOf(row);
  const one = given.text(option);
  return (one === undefined ? given.list(option) : [one]).flatMap((value) => {
    const text = names.refIn === undefined ? value : names.refIn(value);
    if (text === undefined) return [];
    return refOf(api, text, {
      kinds,
      // Without --gvc on the command line, the option is not limited to one GVC.
      inAnyGvc: names.inAnyGvc === true && !given.isWritten('gvc'),
      option: flagOf(row),
    });
  });
}

function targetKind(given: Given): RefScope['kinds'] | undefined {
  const kind = kindNamed(given.text('targetKind'));
  return kind === undefined ? undefined : [kind];
}

/** The name under which commander stores the option's values. */
export function attributeOf({ flags }: OptionRow): string {
  return new Option(flags).attributeName();
}

/** Such as `--name`. */
export function flagOf({ flags }: OptionRow): string {
  return `--${new Option(flags).name()}`;
}

/**
 * Parses every REF of a command line. This is done once for all commands, when they connect, so that none sends a
 * request about a record of another kind, org or GVC. Errors: `cli.usage`.
 */
export function checkRefs(call: Call, api: Api): void {
  argumentRefs(call, api);
  for (const row of call.row.options ?? []) refsOf(call, api, row);
}
