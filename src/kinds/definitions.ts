import type { TObject } from 'typebox';
import type { KnownKind } from '../schema/record/kinds.ts';
import type { Sheet, Variants } from './common/sheet.ts';
import { targetKinds } from './kindFacts.ts';
import { sheets } from './list.ts';

const made = new Map<KnownKind, TObject>();

/** The one definition of a kind: types, JSON Schema, validators and shapes all come from it. */
export function definitionOf(kind: KnownKind): TObject {
  const { definition } = sheets[kind];
  if (typeof definition !== 'function') return definition;
  const known = made.get(kind) ?? definition(targetKinds);
  made.set(kind, known);
  return known;
}

/** Undefined: its fields are the same in every record. */
export function variantsOf(kind: KnownKind): Variants | undefined {
  const { variants }: Sheet = sheets[kind];
  return variants;
}
