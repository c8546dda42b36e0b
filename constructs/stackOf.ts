import type { IConstruct } from 'constructs';
import type { Origin } from './origin.ts';

/** Shared by all copies of this package. */
export const stackBrand: unique symbol = Symbol.for('gantry.stack');

/** The members of a stack that are used here; it may be of another copy of this package. */
export interface StackNode extends IConstruct {
  readonly name: string;
  readonly origin: Origin;
}

export function isStack(construct: IConstruct): construct is StackNode {
  return stackBrand in construct;
}

/** The stack of a construct, which may be the construct itself. */
export function enclosingStack({ node }: IConstruct): StackNode | undefined {
  return node.scopes.find(isStack);
}
