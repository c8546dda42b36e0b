import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import type { Project } from '../harness/terraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

describeTerraform('routes of a domain', () => {
  const terraform = useTerraform('routes');
  const domain = (name: string, inPort = '') =>
    `resource "gantry_domain" "main" {\n  name = "${name}"\n  spec {\n    ports {\n      number = 443\n      protocol = "http2"\n${inPort}    }\n  }\n}\n`;
  const route = (label: string, more: string, name = 'gantry_domain.main.name') =>
    `resource "gantry_domain_route" "${label}" {\n  domain = ${name}\n  workload_link = "//gvc/shop/workload/web"\n  ${more}\n}\n`;
  async function apply(project: Project): Promise<string> {
    const { code, text } = await project.run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
    return text;
  }
  interface Route {
    readonly prefix?: string;
    readonly port?: number;
  }
  async function routesOf(name: string): Promise<readonly Route[]> {
    const { spec } = JSON.parse(await (await terraform.call('GET', `domain/${name}`)).text());
    return spec.ports[0].routes ?? [];
  }

  it('are added, changed, renamed in place and removed, one by one, beside routes of others', async () => {
    const name = 'one.example.com';
    const project = terraform.project('one');
    project.write(
      domain(name) +
        route('api', 'prefix = "/api"') +
        route('web', '') +
        route('more', 'prefix = "/more"\n  port = 80'),
    );
    expect(await apply(project)).toContain('4 added');
    expect((await routesOf(name)).map(({ prefix }) => prefix).toSorted()).toEqual(['/', '/api', '/more']);

    // A route of another client, which no resource here has.
    const byHand = { prefix: '/by-hand', workloadLink: '//gvc/shop/workload/web' };
    const ports = [{ number: 443, '$patch/routes': [byHand] }];
    const patched = await terraform.call('PATCH', `domain/${name}`, { spec: { '$patch/ports': ports } });
    expect(patched.status, await patched.text()).toBe(200);
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });

    project.write(
      `${domain(name).replace('http2', 'http')}${route('api', 'prefix = "/v2"')}${route('web', 'port = 8080')}`,
    );
    terraform.requests.length = 0;
    expect(await apply(project)).toContain('0 added, 3 changed, 1 destroyed');
    const live = await routesOf(name);
    expect(live.map(({ prefix }) => prefix).toSorted()).toEqual(['/', '/by-hand', '/v2']);
    expect(live.find(({ prefix }) => prefix === '/')).toMatchObject({ port: 8080 });

    // A route that another client removed is created again.
    await terraform.call('PATCH', `domain/${name}`, { spec: { '$patch/ports': [{ number: 443, $drop: ['routes'] }] } });
    expect((await project.run('plan', '-no-color')).text).toContain('2 to add, 0 to change, 0 to destroy');
    await apply(project);
    project.write(domain(name).replace('http2', 'http'));
    await apply(project);
    expect(await routesOf(name)).toEqual([]);
  });

  it('that the domain declares belong to it, and all other routes of that port are removed', async () => {
    const name = 'own.example.com';
    const own = '      routes {\n        prefix = "/own"\n        workload_link = "//gvc/shop/workload/web"\n      }\n';
    const project = terraform.project('own');
    project.write(domain(name, own));
    await apply(project);
    expect(await routesOf(name)).toMatchObject([{ prefix: '/own' }]);
    project.write(domain(name));
    await apply(project);
    expect(await routesOf(name), 'what was declared and no longer is goes').toEqual([]);
  });

  it('are imported by domain, port and path', async () => {
    const name = 'import.example.com';
    const routes = [
      { prefix: '/a', workloadLink: '//gvc/shop/workload/web', port: 80 },
      { regex: '^/b:c$', workloadLink: '//gvc/shop/workload/web' },
    ];
    const spec = { ports: [{ number: 443, protocol: 'http2', routes }] };
    const made = await terraform.call('POST', 'domain', { name, spec });
    expect(made.status, await made.text()).toBe(201);
    const importing = (id: string, to: string) => `import {\n  to = gantry_domain_route.${to}\n  id = "${id}"\n}\n`;
    const project = terraform.project('import');
    project.write(
      importing(`${name}:443:/a`, 'a') +
        importing(`${name}:443:^/b:c$`, 'b') +
        route('a', 'prefix = "/a"\n  port = 80', `"${name}"`) +
        route('b', 'regex = "^/b:c$"', `"${name}"`),
    );
    expect(await apply(project)).toContain('2 imported, 0 added, 0 changed, 0 destroyed');

    const wrong = terraform.project('import-wrong');
    wrong.write(importing(name, 'a') + route('a', '', `"${name}"`));
    expect((await wrong.run('plan', '-no-color')).text).toContain('Write DOMAIN:PORT:PATH');
    wrong.write(importing(`${name}:443:/none`, 'a') + route('a', '', `"${name}"`));
    expect((await wrong.run('plan', '-no-color')).text).toContain('Cannot import non-existent remote object');
  });

  it('of a missing domain or port, existing ones, and invalid ones are refused', async () => {
    const name = 'refused.example.com';
    const project = terraform.project('refused');
    const failing = async (configuration: string, command = 'apply') => {
      project.write(configuration);
      const { code, text } = await project.run(command, ...(command === 'apply' ? ['-auto-approve'] : []), '-no-color');
      expect(code, text).toBe(1);
      return text.replaceAll(/[│╷╵\s]+/g, ' ');
    };
    expect(await failing(route('a', '', '"absent.example.com"'))).toContain('domain/absent.example.com does not exist');
    expect(await failing(domain(name) + route('a', 'domain_port = 80'))).toContain(
      `domain/${name} has no port 80 with gantry_domain_route.a`,
    );
    const twice = await failing(domain(name) + route('a', '') + route('b', 'prefix = "/"'));
    expect(twice).toContain(`domain/${name} has this route already`);
    expect(twice).toContain(`import it by the id ${name}:443:/.`);
    const both = 'prefix = "/a"\n  regex = "b"';
    expect(await failing(domain(name) + route('a', both), 'validate')).toMatch(/prefix.*regex|regex.*prefix/);
  });

  it('with a greater risk than the provider block allows are refused', async () => {
    const project = terraform.project('risk');
    project.write(`provider "gantry" {\n  max_risk = "none"\n}\n${route('a', '', '"risk.example.com"')}`);
    const { code, text } = await project.run('plan', '-no-color');
    expect(code, text).toBe(1);
    expect(text).toContain('greater than none');
  });
});
