import type { IConstruct } from 'constructs';
import { present } from '../src/base/json/present.ts';

/** A remark on a construct. */
export interface Annotation {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
}

const annotated: unique symbol = Symbol.for('gantry.annotations');

/**
 * Adds problems to a construct from outside, for example from an aspect. They are reported with all others, at the line
 * that created the construct; an error stops the plan, a warning does not.
 *
 *     Annotations.of(node).addError('more than 100 GB need an approval', 'Ask the platform team.');
 */
export class Annotations {
  readonly #construct: IConstruct;

  private constructor(construct: IConstruct) {
    this.#construct = construct;
  }

  static of(construct: IConstruct): Annotations {
    return new Annotations(construct);
  }

  /** `hint`: what the reader can do. */
  addError(message: string, hint?: string): void {
    this.#add('error', message, hint);
  }

  addWarning(message: string, hint?: string): void {
    this.#add('warning', message, hint);
  }

  #add(severity: Annotation['severity'], message: string, hint: string | undefined): void {
    const annotation: Annotation = { severity, message, ...present({ hint }) };
    Reflect.set(this.#construct, annotated, [...annotationsOf(this.#construct), annotation]);
  }
}

export function annotationsOf(construct: IConstruct): readonly Annotation[] {
  const annotations: unknown = Reflect.get(construct, annotated);
  return Array.isArray(annotations) ? annotations : [];
}
