import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

interface Written {
  readonly image?: string;
  readonly env?: string;
  readonly headers?: string;
  readonly cidrs?: string;
}

const configuration = ({
  image = 'nginx:1',
  env = '{ B = "2", C = "3" }',
  headers = '{ accept = "text/plain" }',
  cidrs = '["10.0.0.0/8", "192.168.0.0/16"]',
}: Written): string => `
resource "gantry_gvc" "shop" {
  name = "shop"
  spec {
    static_placement {
      location_links = ["//location/aws-eu-central-1"]
    }
  }
}
resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  spec {
    type = "standard"
    containers {
      name  = "main"
      image = "${image}"
      env   = ${env}
      ports {
        number = 8080
      }
      readiness_probe {
        http_get {
          path         = "/"
          http_headers = ${headers}
        }
      }
    }
    firewall_config {
      external {
        inbound_allow_cidr = ${cidrs}
      }
    }
  }
}
`;

describeTerraform('attributes in the usual form of Terraform', () => {
  const terraform = useTerraform('shapes');
  const project = () => terraform.project('shapes');
  /** The lines of a plan that show changes of resources. */
  const changesOf = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => (/^ {6,}[-+~] /.test(line) && !/[{[(]$/.test(line.trim()) ? [line.trim()] : []));
  const applied = async (written: Written, more = ''): Promise<void> => {
    project().write(configuration(written) + more);
    const { code, text } = await project().run('apply', '-auto-approve', '-no-color');
    expect(code, text).toBe(0);
  };
  const plan = async (written: Written) => {
    project().write(configuration(written));
    return project().run('plan', '-no-color', '-detailed-exitcode');
  };

  it('a variable or a header added at the front is one line of the plan', async () => {
    await applied({});
    const { text } = await plan({
      env: '{ A = "1", B = "2", C = "3" }',
      headers: '{ a = "b", accept = "text/plain" }',
    });
    expect(changesOf(text)).toEqual(['+ "A" = "1"', '+ "a"      = "b"']);
  });

  it('an image update is one line of the plan, and a refresh after the rollout finds nothing', async () => {
    await applied({});
    const { text } = await plan({ image: 'nginx:2' });
    expect(changesOf(text)).toEqual(['~ image       = "nginx:1" -> "nginx:2"']);
    await applied({ image: 'nginx:2' });
    const live = async () => (await terraform.call('GET', 'gvc/shop/workload/web')).json();
    await expect.poll(live, { timeout: 10_000 }).toMatchObject({ health: { readiness: 'ready' } });
    const refreshed = await project().run('plan', '-refresh-only', '-detailed-exitcode', '-no-color');
    expect(refreshed.text).toContain('No changes. Your infrastructure still matches the configuration.');
    expect(refreshed.code).toBe(0);
  });

  it('the address of a workload is an attribute of the resource, its health one of the data source', async () => {
    const outputs = `
output "address" { value = gantry_workload.web.status.canonical_endpoint }
data "gantry_workload" "web" {
  name = gantry_workload.web.name
  gvc  = gantry_workload.web.gvc
}
output "locations" { value = data.gantry_workload.web.health.total_locations }
`;
    await applied({}, outputs);
    const { text } = await project().run('output', '-json');
    const { address, locations } = JSON.parse(text);
    const live = await (await terraform.call('GET', 'gvc/shop/workload/web')).json();
    expect(live).toMatchObject({ status: { canonicalEndpoint: address.value } });
    expect([address.type, locations.value]).toEqual(['string', 1]);
  });

  it('merge() combines variables, and a null variable is absent', async () => {
    await applied({ env: 'merge({ A = "1", B = "x" }, { B = "2", C = null })' });
    const live = await (await terraform.call('GET', 'gvc/shop/workload/web')).json();
    // Their order depends on the earlier ones.
    const env = expect.arrayContaining([
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]);
    expect(live).toMatchObject({ spec: { containers: [{ env }] } });
    expect(live).toHaveProperty('spec.containers.0.env.length', 2);
    const { code, text } = await plan({ env: '{ B = "2", A = "1", C = null }' });
    expect(code, text).toBe(0);
  });

  it('values without an order can be reordered without a change', async () => {
    await applied({});
    const { code, text } = await plan({ cidrs: '["192.168.0.0/16", "10.0.0.0/8"]' });
    expect(code, text).toBe(0);
  });
});
