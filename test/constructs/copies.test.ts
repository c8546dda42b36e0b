import { registerHooks } from 'node:module';
import * as gantry from 'gantry';
import { synth } from 'gantry/testing';
import { expect, test } from 'vitest';

/** The entry with a copy of all modules that it loads. */
async function copyOfGantry(): Promise<typeof gantry> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url.endsWith('.ts') ? { ...found, url: `${found.url}?copy` } : found;
    },
  });
  try {
    return await import('gantry');
  } finally {
    hooks.deregister();
  }
}

// Each entry of the built package has its own copy of shared modules.
test('problems of resources that another copy of the package made keep their lines', async () => {
  const { App, Gvc, Identity, Stack, Workload } = await copyOfGantry();
  expect(Gvc).not.toBe(gantry.Gvc);
  const stack = new Stack(new App(), 'test');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-us-west-2'] });
  const containers = [{ name: 'main', image: 'x:1' }] as const;
  const web = new Workload(gvc, 'web', { type: 'standard', containers });
  web.addOverride('spec.containers.7.image', 'x:2');
  const identity = new Identity(new Gvc(stack, 'other'), 'backend');
  const api = new Workload(gvc, 'api', { type: 'standard', identity, containers });
  const { line } = web.origin.position();
  expect(() => synth(stack)).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ rule: 'stack.override', position: expect.objectContaining({ line: line + 1 }) }),
        expect.objectContaining({ rule: 'stack.gvc', position: api.origin.position() }),
      ],
    }),
  );
});
