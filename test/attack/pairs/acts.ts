import type { JsonValue } from '../../../src/base/json/json.ts';
import type { Dice } from '../../fuzz/dice.ts';
import { matches } from './flat.ts';
import { accounts, type KindForm, kindForms } from './kinds.ts';
import { covers, itemsAround } from './oracle.ts';

/** Values by path. */
export type Values = Readonly<Record<string, JsonValue>>;

export const partNames = ['p', 'q', 'r'] as const;
export type PartName = (typeof partNames)[number];

/** How a declaration is applied. */
export interface Way {
  /** Through a saved plan. */
  readonly saved?: true;
  /** Existing values without a claim become the stack's own. */
  readonly adopt?: true;
}

export type Act =
  | ({
      readonly by: 'owner';
      readonly declares: Values;
      readonly ignore: readonly string[];
      /** The record is renamed. */
      readonly renames?: true;
    } & Way)
  | ({ readonly by: PartName; readonly declares: Values } & Way)
  /** The last apply is taken back. */
  | { readonly by: 'owner' | PartName; readonly undoes: true }
  /** Somebody makes the record before there is any stack. */
  | { readonly by: 'person'; readonly makes: Values }
  | { readonly by: 'person'; readonly set: Values; readonly drop: readonly string[] }
  /** A newer platform, with fields that nobody knows. */
  | { readonly by: 'platform'; readonly set: Values }
  | { readonly by: 'owner' | PartName; readonly destroys: true };

export interface World {
  readonly kind: string;
  readonly acts: readonly Act[];
}

export function formOf(kind: string): KindForm {
  const form = kindForms.find((each) => each.kind === kind);
  if (form === undefined) throw new Error(`no kind ${kind} in these worlds`);
  return form;
}

/** A unit that can be declared alone: an item with its required fields, or a field. */
interface Slot {
  readonly path: string;
  readonly part: boolean;
  readonly item: boolean;
  readonly choices: readonly JsonValue[];
  readonly required: Readonly<Record<string, readonly JsonValue[]>>;
}

const stars: Readonly<Record<string, readonly string[]>> = {
  'spec|containers|*': ['main', 'side'],
  'spec|ports|*': ['443'],
  'bindings|*': accounts,
  'spec|containers|*|ports|*': ['8080'],
};

function expand(form: KindForm, pattern: string): readonly string[] {
  const segments = pattern.split('|');
  const star = segments.indexOf('*');
  if (star < 0) return [pattern];
  const [head, tail] = [segments.slice(0, star), segments.slice(star + 1)];
  const list = head.join('|');
  const items = form.items.find(({ at }) => matches(at, list));
  const known = Object.entries(stars).find(([at]) => matches(at, `${list}|*`))?.[1];
  return (known ?? items?.keys ?? []).flatMap((key) => expand(form, [...head, key, ...tail].join('|')));
}

const tags = ['t1', 't2', 'team/x'];

function slotsOf(form: KindForm): readonly Slot[] {
  const items = form.items.flatMap(({ at, keys, required = {}, parts = false }) =>
    expand(form, at).flatMap((list) =>
      keys.map((key): Slot => ({ path: `${list}|${key}`, part: parts, item: true, choices: [true], required })),
    ),
  );
  const fields = form.fields.flatMap(({ at, values }) =>
    expand(form, at)
      .filter((path) => !path.includes('|^') || !path.endsWith('|replacePrefix'))
      .map((path): Slot => ({ path, part: false, item: false, choices: values, required: {} })),
  );
  const tagged = tags.map(
    (tag): Slot => ({ path: `tags|${tag}`, part: true, item: false, choices: ['1', '2'], required: {} }),
  );
  return [...items, ...fields, ...tagged];
}

function fill(values: Record<string, JsonValue>, dice: Dice, slot: Slot): void {
  values[slot.path] = dice.any(slot.choices) ?? true;
  for (const [field, choices] of Object.entries(slot.required))
    values[`${slot.path}|${field}`] ??= dice.any(choices) ?? true;
}

function clear(values: Record<string, JsonValue>, path: string): void {
  for (const each of Object.keys(values)) if (each === path || each.startsWith(`${path}|`)) delete values[each];
}

function isIn(form: KindForm, values: Values, path: string): boolean {
  return itemsAround(form, path).every((item) => item === path || item in values);
}

function declare(dice: Dice, form: KindForm, before: Values | undefined, inPlace = false): Values {
  const values: Record<string, JsonValue> = { ...form.base, ...before };
  if (form.immutable !== undefined) {
    const { at, values: choices } = form.immutable;
    if (values[at] === undefined || (!inPlace && dice.percent(25))) values[at] = dice.one(choices);
  }
  for (const slot of slotsOf(form)) {
    if (!isIn(form, values, slot.path)) continue;
    const required = Object.keys(form.base).includes(slot.path) || isRequired(form, slot.path);
    if (before === undefined ? dice.percent(35) : dice.percent(20)) {
      if (slot.path in values && !required && dice.percent(60)) clear(values, slot.path);
      else fill(values, dice, slot);
    }
  }
  const [low, high] = ['minScale', 'maxScale'].map((field) => `spec|defaultOptions|autoscaling|${field}`);
  if (low !== undefined && high !== undefined && Number(values[low] ?? 1) > Number(values[high] ?? 5))
    delete values[low];
  return dice.percent(25) ? shuffled(dice, values) : values;
}

function isRequired(form: KindForm, path: string): boolean {
  const [item] = itemsAround(form, path).slice(-1);
  if (item === undefined || item === path) return false;
  const items = form.items.find(({ at }) => matches(at, item.slice(0, item.lastIndexOf('|'))));
  return path.slice(item.length + 1) in (items?.required ?? {});
}

function shuffled(dice: Dice, values: Values): Values {
  const left = Object.entries(values);
  const mixed: [string, JsonValue][] = [];
  while (left.length > 0) mixed.push(...left.splice(dice.whole(left.length), 1));
  return Object.fromEntries(mixed);
}

function ignoreSome(dice: Dice, form: KindForm, declares: Values, before: readonly string[]): readonly string[] {
  const kept = before.filter((path) => dice.percent(80) && Object.keys(declares).some((each) => covers(path, each)));
  if (dice.percent(60)) return kept;
  const choices = Object.keys(declares).filter((path) => !(path in form.base) && path !== form.immutable?.at);
  const chosen = dice.any(choices);
  if (chosen === undefined || kept.includes(chosen)) return kept;
  const item = itemsAround(form, chosen).at(-1);
  // A member of a set has no path of its own: the whole list is ignored.
  const list = form.lists.find(
    ({ at, key }) => key === undefined && item !== undefined && matches(at, item.slice(0, item.lastIndexOf('|'))),
  );
  if (list !== undefined && item !== undefined) {
    return [...kept, form.bindings === true ? 'bindings' : item.slice(0, item.lastIndexOf('|'))];
  }
  if (item === undefined || item === chosen || !dice.percent(20)) return [...kept, chosen];
  return [...kept, `${item.slice(0, item.lastIndexOf('|'))}|*${chosen.slice(item.length)}`];
}

function declarePart(dice: Dice, form: KindForm, before: Values | undefined): Values {
  const slots = slotsOf(form).filter(({ part }) => part);
  const values: Record<string, JsonValue> = { ...before };
  const around = form.kind === 'domain' ? { 'spec|ports|443': true } : {};
  for (const slot of slots) {
    if (slot.path.includes('|side|') || slot.path.includes('^') || !dice.percent(35)) continue;
    if (slot.path in values && dice.percent(60)) clear(values, slot.path);
    else fill(values, dice, slot);
  }
  return { ...around, ...values };
}

function edit(dice: Dice, form: KindForm): Act {
  const set: Record<string, JsonValue> = {};
  const drop: string[] = [];
  const slots = slotsOf(form);
  for (let count = 1 + dice.whole(4); count > 0; count -= 1) {
    const slot = dice.any(slots);
    if (slot === undefined) continue;
    if (dice.percent(25) && !isRequired(form, slot.path) && !(slot.path in form.base)) drop.push(slot.path);
    else fill(set, dice, slot);
    if (slot.path.startsWith('tags|') && slot.path in set) set[slot.path] = dice.one(['human', '1']);
  }
  if (dice.percent(30)) set[`tags|foreign${dice.whole(3)}`] = 'f';
  return { by: 'person', set, drop };
}

/** Many tags, so that a few more fit, or none. */
function crowd(dice: Dice): Act {
  const count = 42 + dice.whole(7);
  const set = Object.fromEntries(Array.from({ length: count }, (_, index) => [`tags|c${index}`, 'x']));
  return { by: 'person', set, drop: [] };
}

function learn(dice: Dice, form: KindForm): Act {
  const path = dice.any(form.unknown.flatMap((at) => expand(form, at))) ?? 'future';
  return { by: 'platform', set: { [path]: dice.whole(10) } };
}

export function makeWorld(dice: Dice, kind?: string): World {
  const form = kind === undefined ? dice.one(kindForms) : formOf(kind);
  const newer = form.unknown.length > 0 && dice.percent(30);
  let owner = declare(dice, form, undefined);
  let ignore: readonly string[] = [];
  const parts = new Map<PartName, Values>();
  const acts: Act[] = [];
  const way = (): Way => (dice.percent(30) ? { saved: true } : {});
  const undo = (by: 'owner' | PartName): void => {
    if (acts.at(-1) !== undefined && 'saved' in (acts.at(-1) ?? {}) && dice.percent(50))
      acts.push({ by, undoes: true });
  };
  if (form.kind !== 'secret' && dice.percent(20)) {
    acts.push({ by: 'person', makes: declare(dice, form, undefined) });
    acts.push({ by: 'owner', declares: owner, ignore, adopt: true, ...way() });
    undo('owner');
    if (acts.length === 3) acts.push({ by: 'owner', declares: owner, ignore, adopt: true });
  } else acts.push({ by: 'owner', declares: owner, ignore });
  if (form.immutable !== undefined && dice.percent(10))
    return { kind: form.kind, acts: [...acts, crowd(dice), ...replaced()] };
  for (let count = 2 + dice.whole(5); count > 0; count -= 1) {
    const roll = dice.whole(100);
    if (roll < 36) {
      const before: Extract<Act, { by: 'owner'; ignore: unknown }> = { by: 'owner', declares: owner, ignore };
      owner = declare(dice, form, owner, newer || dice.percent(50));
      ignore = ignoreSome(dice, form, owner, ignore);
      const renames = form.renames === true && !newer && dice.percent(12) ? { renames: true as const } : {};
      acts.push({ by: 'owner', declares: owner, ignore, ...renames, ...way() });
      undo('owner');
      if ('undoes' in (acts.at(-1) ?? {})) ({ declares: owner, ignore } = before);
    } else if (roll < 58) acts.push(edit(dice, form));
    else if (roll < 66) owner = dropAndRestore(owner);
    else if (roll < 72 && newer) acts.push(learn(dice, form));
    else {
      const by = dice.one(partNames);
      const before = parts.get(by);
      const declares = declarePart(dice, form, before);
      parts.set(by, declares);
      acts.push({ by, declares, ...(dice.percent(15) ? { adopt: true } : {}), ...way() });
      undo(by);
      if (!('undoes' in (acts.at(-1) ?? {}))) continue;
      if (before === undefined) parts.delete(by);
      else parts.set(by, before);
    }
  }
  owner = declare(dice, form, owner, newer);
  acts.push({ by: 'owner', declares: owner, ignore: ignoreSome(dice, form, owner, ignore) });
  for (const by of parts.keys()) if (dice.percent(20)) acts.push({ by, destroys: true });
  if (dice.percent(20)) acts.push({ by: 'owner', destroys: true });
  return { kind: form.kind, acts };

  /** A tag is removed by hand and from the code, so nothing is left to write; then another client sets it again. */
  function dropAndRestore(declares: Values): Values {
    const tag = dice.any(Object.keys(declares).filter((path) => path.startsWith('tags|')));
    if (tag === undefined) return declares;
    const { [tag]: value = '', ...rest } = declares;
    acts.push({ by: 'owner', declares, ignore });
    acts.push({ by: 'person', set: {}, drop: [tag] });
    acts.push({ by: 'owner', declares: rest, ignore });
    acts.push({ by: 'person', set: { [tag]: dice.one([value, 'human']) }, drop: [] });
    return rest;
  }

  /** Changes an immutable field. */
  function replaced(): readonly Act[] {
    const { at = '', values = [''] } = form.immutable ?? {};
    const other = values.find((value) => value !== owner[at]) ?? '';
    return [{ by: 'owner', declares: { ...owner, [at]: other }, ignore }];
  }
}
