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

  /** A stack in an app of its own. */
  stack(): Stack {
    return new Stack(new App(), 'test');
  },

  /** The manifests of a tree or a part of one, in the order in which they were made. */
  synth(construct: IConstruct): readonly JsonObject[] {
    return synthesize(construct).map(({ value }) => value);
  },
} as const;
