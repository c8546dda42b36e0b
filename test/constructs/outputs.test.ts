import { Agent, App, Gvc, Output, Secret, ServiceAccount, Stack, sensitive, Testing, Workload } from 'gantry';
import { describe, expect, test } from 'vitest';

function network() {
  const stack = new Stack(new App(), 'network');
  const gvc = new Gvc(stack, 'shop', { locations: ['aws-eu-central-1'] });
  const web = new Workload(gvc, 'web', { type: 'standard', containers: [{ name: 'main', image: 'a:1' }] });
  return { stack, gvc, web };
}

const url = '${live.workload/shop/web:status.canonicalEndpoint}';

describe('outputs', () => {
  test('are manifests, with the line of their code', () => {
    const { stack, web } = network();
    new Output(stack, 'url', web.url, { description: 'Where it answers' });
    new Output(stack, 'both', { link: web, text: `${web.url}/x` });
    new Output(stack, 'token', sensitive('abc'), { name: 'api-token' });
    new Output(stack, 'nested', { deep: [sensitive('def')] });
    const documents = stack.synth().slice(2);
    expect(documents.map(({ value }) => value)).toEqual([
      { kind: 'output', name: 'url', description: 'Where it answers', value: url },
      { kind: 'output', name: 'both', value: { link: '//gvc/shop/workload/web', text: `${url}/x` } },
      { kind: 'output', name: 'api-token', sensitive: true, value: 'abc' },
      { kind: 'output', name: 'nested', sensitive: true, value: { deep: ['def'] } },
    ]);
    expect(documents.map(({ madeBy }) => madeBy?.stack)).toEqual(documents.map(() => 'network'));
    expect(documents[0]?.locate([]).file).toContain('outputs.test.ts');
  });

  test('of a value that is shown once contain the file for it', () => {
    const stack = new Stack(new App(), 'access');
    const account = new ServiceAccount(stack, 'pipeline');
    new Output(stack, 'key', account.key('deploy-1'), { saveTo: { file: 'deploy.key' } });
    expect(stack.synth().at(-1)?.value).toEqual({
      kind: 'output',
      name: 'key',
      saveTo: { file: 'deploy.key' },
      value: '${live.serviceaccount/pipeline:keys.deploy-1.key}',
    });
    expect(() => account.key('two words')).toThrow(expect.objectContaining({ code: 'stack.live' }));
  });

  test('of a stack are available to the next one by name', () => {
    const { stack, web } = network();
    const output = new Output(stack, 'url', web.url);
    expect(stack.outputs['url']).toBe(output.value);
    expect(Object.keys(stack.outputs)).toEqual(['url']);
    expect(() => stack.outputs['ulr']).toThrow(
      expect.objectContaining({ code: 'stack.output', hint: expect.stringContaining('Did you mean url?') }),
    );
  });

  test('are the value of a field, and part of a text only through it', () => {
    const { stack, gvc, web } = network();
    const output = new Output(stack, 'url', web.url);
    const env = [{ name: 'URL', value: output as unknown as string }];
    new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'a:1', env }] });
    expect(JSON.stringify(Testing.synth(stack))).toContain(`{"name":"URL","value":"${url}"}`);
    expect(() => `${output as unknown as string}`).toThrow('the output "url" is put into a text');
  });
});

describe('live values', () => {
  test('are texts that name a field of the record', () => {
    const { stack, web } = network();
    expect(web.url).toBe(url);
    expect(new Secret(stack, 'login', { type: 'opaque', data: { payload: 'a' } }).live('data.payload')).toBe(
      '${live.secret/login:data.payload}',
    );
    expect(Workload.fromName(stack, 'other', 'api', { gvc: 'far' }).url).toBe(
      '${live.workload/far/api:status.canonicalEndpoint}',
    );
  });

  test.each([
    ['status.endpiont', 'Did you mean status.endpoint?'],
    ['status..endpoint', 'Write it as'],
    ['spec.containers.*.image', 'Write it as'],
  ])('of an unknown path (%s) are refused', (path, hint) => {
    const { web } = network();
    expect(() => web.live(path)).toThrow(
      expect.objectContaining({ code: 'stack.live', hint: expect.stringContaining(hint) }),
    );
  });

  test('require the GVC in code', () => {
    const stack = Testing.stack();
    const web = Workload.fromName(stack, 'web', 'web', { gvc: { fromSettings: true } });
    expect(() => web.url).toThrow(expect.objectContaining({ code: 'stack.live' }));
    expect(new Agent(stack, 'agent').live('status.bootstrapConfig.agentId')).toContain('agent/agent');
  });
});
