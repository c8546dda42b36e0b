import type { IConstruct } from 'constructs';
import type { JsonObject } from '../src/base/json/json.ts';
import { App } from './app.ts';
import { Stack } from './stack.ts';
import { synthesize } from './synthesize.ts';

/** For the tests of stacks. */
export const Testing = {
  app(): App {
    return new App();
  },

  /** A stack in a separate app. */
  stack(): Stack {
    return new Stack(new App(), 'test');
  },

  /** The manifests of a tree or a part of one, in the order of their creation. */
  synth(construct: IConstruct): readonly JsonObject[] {
    return synthesize(construct).map(({ value }) => value);
  },
} as const;
