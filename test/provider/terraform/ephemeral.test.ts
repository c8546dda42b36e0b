import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

describeTerraform('functions of the provider', () => {
  const terraform = useTerraform('functions');

  it('are called without a provider block, and return a result or an error at the argument', async () => {
    const project = terraform.project('functions');
    project.write(`output "all" {
  value = {
    link  = provider::gantry::link("workload", "web", "shop")
    parts = provider::gantry::parse_link("/org/acme/secret/db")
    cpu   = provider::gantry::quantity("500m") + provider::gantry::quantity("0.1")
    bytes = provider::gantry::quantity("8Pi")
  }
}
`);
    expect(await project.run('apply', '-auto-approve', '-no-color')).toMatchObject({ code: 0 });
    expect(JSON.parse((await project.run('output', '-json', 'all')).text)).toEqual({
      link: '//gvc/shop/workload/web',
      parts: { org: 'acme', kind: 'secret', gvc: null, name: 'db' },
      cpu: 0.6,
      bytes: 8 * 1024 ** 5,
    });
    project.write('output "wrong" {\n  value = provider::gantry::link("secrte", "db")\n}\n');
    const { code, text } = await project.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text.replaceAll(/[│╷╵\s]+/g, ' ')).toContain(
      'Invalid value for "kind" parameter: Did you mean secret? "secrte" is not a kind.',
    );
    expect(terraform.requests).toEqual([]);
  });
});

describeTerraform('an ephemeral secret', () => {
  const terraform = useTerraform('ephemeral');
  const copy = `resource "gantry_secret" "copy" {
  name = "copy"
  type = "opaque"
  data_wo {
    opaque {
      payload  = ephemeral.gantry_secret.db.data.opaque.payload
      encoding = "plain"
    }
  }
  data_wo_version = 1
}
`;

  it('is read with its value, which is in no plan and no state', async () => {
    const data = { encoding: 'plain', payload: 'value-that-is-not-stored' };
    expect((await terraform.call('POST', 'secret', { name: 'database', type: 'opaque', data })).status).toBe(201);
    const project = terraform.project('copy');
    project.write(`ephemeral "gantry_secret" "db" {\n  name = "database"\n}\n${copy}`);
    expect(await project.run('plan', '-out=plan.tfplan', '-no-color')).toMatchObject({ code: 0 });
    const applied = await project.run('apply', '-no-color', 'plan.tfplan');
    expect(applied.code, applied.text).toBe(0);
    expect(await (await terraform.call('GET', 'secret/copy/-reveal')).json()).toMatchObject({ data });
    const { text: plan } = await project.run('show', '-json', 'plan.tfplan');
    for (const stored of [plan, readFileSync(join(project.folder, 'terraform.tfstate'), 'utf8')]) {
      expect(stored).toContain('"copy"');
      expect(stored).not.toContain('value-that-is-not-stored');
    }
    expect(await project.run('plan', '-detailed-exitcode', '-no-color')).toMatchObject({ code: 0 });
  });
});

describeTerraform('an ephemeral secret that the token may not reveal', () => {
  const forbidden = { method: 'GET', path: '/org/*/secret/*/-reveal', status: 403 };
  const terraform = useTerraform('unrevealed', { faults: { seed: 'unrevealed', faults: [forbidden] } });

  it('is an error, not an empty value', async () => {
    const data = { encoding: 'plain', payload: 'hidden' };
    expect((await terraform.call('POST', 'secret', { name: 'database', type: 'opaque', data })).status).toBe(201);
    const project = terraform.project('unrevealed');
    project.write('ephemeral "gantry_secret" "db" {\n  name = "database"\n}\n');
    const { code, text } = await project.run('plan', '-no-color');
    expect(code).toBe(1);
    expect(text).toContain('The value of secret/database cannot be read');
    expect(text).toContain('This token needs the permission reveal on it.');
  });
});
