import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const shop = (changes: { readonly team?: string; readonly image?: string; readonly identity?: string } = {}) => `
resource "gantry_gvc" "shop" {
  name = "shop"
  tags = { team = "${changes.team ?? 'a'}" }
  spec {
    static_placement {
      location_links = ["//location/aws-ap-southeast-2"]
    }
  }
}
resource "gantry_identity" "web" {
  name = "${changes.identity ?? 'web'}"
  gvc  = gantry_gvc.shop.name
}
resource "gantry_secret" "db" {
  name = "db-main"
  type = "opaque"
  data {
    opaque {
      payload = "hunter2"
      encoding = "plain"
    }
  }
}
resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  wait_for_ready = true
  timeouts {
    create = "20s"
    update = "20s"
  }
  spec {
    type          = "standard"
    identity_link = gantry_identity.web.link
    containers {
      name = "main"
      image = "${changes.image ?? 'nginx:1'}"
      cpu = "0.1"
      memory = "128Mi"
      ports {
        number = 8080
      }
    }
    default_options {
      autoscaling {
        min_scale = 1
        max_scale = 2
      }
    }
  }
}
data "gantry_workloads" "all" {
  gvc        = gantry_gvc.shop.name
  depends_on = [gantry_workload.web]
}
output "workloads" { value = data.gantry_workloads.all.names }
`;

/** One story, in order: each step continues with the state that the step before it left. */
describeTerraform('the real terraform', { shuffle: false }, () => {
  const terraform = useTerraform('lifecycle', { readyAfterMs: 0 });
  const { call, requests } = terraform;
  const project = () => terraform.project('.');

  const idOf = async (path: string): Promise<unknown> =>
    Reflect.get(Object(await (await call('GET', path)).json()), 'id');
  async function apply(): Promise<string> {
    const { code, text } = await project().run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
    return text;
  }
  async function expectNoChanges(): Promise<void> {
    const { code, text } = await project().run('plan', '-detailed-exitcode', '-no-color');
    expect(code, text).toBe(0);
  }

  it('creates, reads data, and then plans nothing', async () => {
    project().write(shop());
    const text = await apply();
    expect(text).toContain('4 added, 0 changed, 0 destroyed');
    expect(text).toContain('"web",');
    await expectNoChanges();
  });

  it('refreshes with one list for each kind, and one read for each secret', async () => {
    requests.length = 0;
    await project().run('plan', '-refresh-only', '-no-color');
    expect(requests.map((request) => request.replace(/\?.*/, '')).sort()).toEqual([
      'GET /org/local/gvc',
      'GET /org/local/gvc/shop/identity',
      'GET /org/local/gvc/shop/workload', // for the resource and for the data source
      'GET /org/local/gvc/shop/workload',
      'GET /org/local/secret/db-main/-reveal',
    ]);
  });

  it('changes in place, and sends only the change', async () => {
    project().write(shop({ team: 'b', image: 'nginx:2' }));
    expect(await apply()).toContain('0 added, 2 changed, 0 destroyed');
    await expectNoChanges();
    expect(await (await call('GET', 'gvc/shop')).json()).toMatchObject({ version: 2, tags: { team: 'b' } });
  });

  it('shows drift, keeps additions of others, and restores its own values', async () => {
    await call('PATCH', 'gvc/shop', { tags: { team: 'x', others: 'y' } });
    const { code, text } = await project().run('plan', '-detailed-exitcode', '-no-color');
    expect(code).toBe(2);
    expect(text).toMatch(/"team" = "x" -> "b"/);
    expect(text).not.toContain('others');
    await apply();
    expect(await (await call('GET', 'gvc/shop')).json()).toMatchObject({ tags: { team: 'b', others: 'y' } });
  });

  it('replaces a record that cannot be renamed, and says so', async () => {
    project().write(shop({ team: 'b', image: 'nginx:2', identity: 'web-two' }));
    const { text } = await project().run('plan', '-no-color');
    expect(text).toContain('# forces replacement');
    expect(text).toContain('is renamed by deleting it');
    const before = await idOf('gvc/shop/workload/web');
    // The workload must drop its reference first: on this platform a strong reference blocks a deletion.
    project().write(shop({ team: 'b', image: 'nginx:2' }));
    await expectNoChanges();
    expect(await idOf('gvc/shop/workload/web')).toBe(before);
  });

  it('takes over a forgotten record only with permission, and creates nothing twice', async () => {
    const before = await idOf('gvc/shop/workload/web');
    expect((await project().run('state', 'rm', 'gantry_workload.web')).code).toBe(0);
    const refused = await project().run('apply', '-auto-approve', '-no-color');
    expect(refused.code).toBe(1);
    expect(refused.text.match(/Error: /g)).toHaveLength(1);
    expect(refused.text.replaceAll(/\s+/g, ' ')).toContain('import { to = gantry_workload.NAME, id = "shop/web" }');
    project().write(`provider "gantry" {\n  take_over = true\n}\n${shop({ team: 'b', image: 'nginx:2' })}`);
    expect(await apply()).toContain('workload/shop/web exists already, and is taken over');
    expect(await idOf('gvc/shop/workload/web')).toBe(before);
    project().write(shop({ team: 'b', image: 'nginx:2' }));
    await expectNoChanges();
  });

  it('keeps write-only values out of the state, and writes them when their version changes', async () => {
    const secret = (payload: string, version: number) =>
      `resource "gantry_secret" "hidden" {\n  name = "hidden"\n  type = "opaque"\n` +
      `  data_wo {
        opaque {
          payload = "${payload}"
          encoding = "plain"
        }
      }\n  data_wo_version = ${version}\n}\n`;
    for (const [payload, version] of [
      ['sesame', 1],
      ['open', 2],
    ] as const) {
      project().write(`${shop({ team: 'b', image: 'nginx:2' })}${secret(payload, version)}`);
      await apply();
      const revealed = await (await call('GET', 'secret/hidden/-reveal')).json();
      expect(revealed).toMatchObject({ data: { payload } });
    }
    expect(readFileSync(join(project().folder, 'terraform.tfstate'), 'utf8')).not.toMatch(/sesame|"open"/);
    await expectNoChanges();
  });

  it('detects by the version that another client wrote a write-only value, and writes it again', async () => {
    await call('PATCH', 'secret/hidden', { data: { payload: 'theirs', encoding: 'plain' } });
    const { text } = await project().run('plan', '-no-color');
    expect(text).toContain('The value of secret/hidden was written by somebody else');
    expect(text).toMatch(/\+ data_wo_version\s+= 2/);
    await apply();
    const revealed = await (await call('GET', 'secret/hidden/-reveal')).json();
    expect(revealed).toMatchObject({ data: { payload: 'open' } });
    await call('PATCH', 'secret/hidden', { tags: { 'other/tool': 'x' } });
    const tagged = await project().run('plan', '-no-color');
    expect(tagged.text).toContain('The value of secret/hidden may have been written by somebody else');
    await expectNoChanges();
  });

  it('creates nothing over a record of others, and imports it', async () => {
    await call('POST', 'group', { kind: 'group', name: 'ops', description: 'people', tags: { by: 'hand' } });
    const group =
      'resource "gantry_group" "ops" {\n  name = "ops"\n  description = "people"\n  tags = { by = "hand" }\n}\n';
    project().write(`${shop({ team: 'b', image: 'nginx:2' })}${group}`);
    const refused = await project().run('plan', '-no-color');
    expect(refused.code).toBe(1);
    expect(refused.text).toMatch(/group\/ops exists already[\s\S]*import \{ to = gantry_group\.NAME, id = "ops" \}/i);
    project().write(
      `${shop({ team: 'b', image: 'nginx:2' })}${group}import {\n  to = gantry_group.ops\n  id = "ops"\n}\n`,
    );
    expect(await apply()).toContain('1 imported, 0 added, 0 changed');
    await expectNoChanges();
  });

  it('deletes a GVC with resources of others only if exactly their number is allowed', async () => {
    project().write(shop({ team: 'b', image: 'nginx:2' }));
    // Drift of an undeclared record: Terraform plans its deletion with the state from before the refresh.
    await call('PATCH', 'group/ops', { description: 'changed' });
    expect(await apply()).toContain('0 added, 0 changed, 1 destroyed');
    await call('POST', 'gvc/shop/identity', { kind: 'identity', name: 'theirs' });
    const refused = await project().run('destroy', '-auto-approve', '-no-color');
    expect(refused.code).toBe(1);
    expect(refused.text).toContain(
      'gvc/shop contains 1 resource that this apply does not delete: identity/shop/theirs',
    );
    expect((await call('GET', 'gvc/shop')).status).toBe(200);

    project().write(
      'resource "gantry_gvc" "shop" {\n  name = "shop"\n  tags = { team = "b" }\n  allow_collateral = 1\n}\n',
    );
    await apply();
    const destroyed = await project().run('destroy', '-auto-approve', '-no-color');
    expect(destroyed.code, destroyed.text).toBe(0);
    expect((await call('GET', 'gvc/shop')).status).toBe(404);
    const state: unknown = JSON.parse(readFileSync(join(project().folder, 'terraform.tfstate'), 'utf8'));
    expect(state).toMatchObject({ resources: [] });
    rmSync(join(project().folder, 'terraform.tfstate'));
  });
});
