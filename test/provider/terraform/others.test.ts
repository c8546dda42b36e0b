import { expect, test } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

const [sydney, frankfurt] = ['//location/aws-ap-southeast-2', '//location/aws-eu-central-1'];
const gvc = (...locations: readonly string[]): string => `
resource "gantry_gvc" "shop" {
  name = "shop"
  spec {
    static_placement {
      location_links = ${JSON.stringify(locations)}
    }
  }
}
`;
const volumeSet = `
resource "gantry_volumeset" "data" {
  name = "data"
  gvc  = gantry_gvc.shop.name
  allow_data_loss = true
  spec {
    initial_capacity = 10
    performance_class = "general-purpose-ssd"
    file_system_type = "ext4"
  }
}
`;
const workload = (type: string): string => `
resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  spec {
    type = "${type}"
    containers {
      name    = "main"
      image   = "nginx:1"
      ports {
        number = 8080
      }
      volumes {
        uri = "scheme://volumeset/\${gantry_volumeset.data.name}"
        path = "/data"
      }
    }
  }
}
`;
const domain = (port: number): string => `
resource "gantry_domain" "shop" {
  name = "shop.example.com"
  spec {
    dns_mode = "cname"
    ports {
      number = 443
      protocol = "http2"
      routes {
        prefix = "/"
        workload_link = gantry_workload.web.link
        port = ${port}
      }
    }
  }
}
`;

/** What a plan reports about other resources, of the same configuration and of others. */
describeTerraform('a plan of the real terraform', { shuffle: false }, () => {
  const terraform = useTerraform('others', { readyAfterMs: 0 });
  const project = () => terraform.project('.');

  /** Output without the frames of diagnostics, as one line of words. */
  async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const { code, text } = await project().run(...args, '-no-color');
    return { code, text: text.replaceAll(/[│╷╵]/g, ' ').replaceAll(/\s+/g, ' ') };
  }
  async function post(path: string, body: object): Promise<void> {
    expect((await terraform.call('POST', path, body)).status).toBe(201);
  }

  test('refuses contradictions between its own resources, at the line, before anything is written', async () => {
    project().write(`${gvc(sydney, frankfurt)}${volumeSet}${workload('standard')}`);
    const { code, text } = await run('plan');
    expect(code).toBe(1);
    expect(text).toContain('with gantry_workload.web, on main.tf line');
    expect(text).toContain('the volume set "data" is ext4; a standard workload can mount shared ones only');
  });

  test('warns of a route to a port that is not served', async () => {
    project().write(`${gvc(sydney, frankfurt)}${volumeSet}${workload('stateful')}${domain(9090)}`);
    expect((await run('plan')).text).toContain('the workload "web" must serve the port 9090');
    project().write(`${gvc(sydney, frankfurt)}${volumeSet}${workload('stateful')}${domain(8080)}`);
    const { code, text } = await run('apply', '-auto-approve');
    expect(code, text).toBe(0);
    expect(text).not.toContain('Warning');
  });

  test('names resources of others that an update of a GVC takes a location from, but not its own', async () => {
    const containers = [{ name: 'main', image: 'nginx:1' }];
    await post('gvc/shop/workload', { kind: 'workload', name: 'theirs', spec: { type: 'standard', containers } });
    project().write(`${gvc(sydney)}${volumeSet}${workload('stateful')}${domain(8080)}`);
    const { code, text } = await run('plan');
    expect(code, text).toBe(0);
    expect(text).toContain(
      'gvc/shop takes away location aws-eu-central-1 from 1 resource that this configuration has not created',
    );
    expect(text).toContain('workload/shop/theirs.');
    project().write(
      `provider "gantry" {\n  max_risk = "reschedule"\n}\n${gvc(sydney)}${volumeSet}${workload('stateful')}`,
    );
    const limited = await run('plan', '-target=gantry_gvc.shop');
    expect(limited.code).toBe(1);
    expect(limited.text).toContain('greater than reschedule');
  });

  test('names resources that are deleted together with a GVC that is replaced or removed', async () => {
    project().write(gvc(sydney, frankfurt).replace('"shop"\n', '"store"\n'));
    const contains = 'gvc/shop contains 1 resource that this configuration has not created';
    expect((await run('plan')).text).toContain(contains);
    const { text } = await run('plan', '-destroy');
    expect(text).toContain(contains);
    expect(text).toContain('allow_collateral is 0. To allow it, apply allow_collateral = 1 first');
    expect(text).not.toContain('does not exist');
  });
});
