import { expect, it } from 'vitest';
import { describeTerraform } from '../harness/describeTerraform.ts';
import { useTerraform } from '../harness/useTerraform.ts';

/** The difference between the two configurations of a case. */
interface Written {
  readonly run: number;
  readonly locations: string;
  readonly ports: string;
  readonly container: string;
}

const configuration = ({ run, locations, ports, container }: Written): string => `
resource "terraform_data" "protocol" {
  input            = "https"
  triggers_replace = ${run}
}
resource "terraform_data" "name" {
  input            = "main"
  triggers_replace = ${run}
}
resource "terraform_data" "location" {
  input            = "//location/aws-eu-central-1"
  triggers_replace = ${run}
}
resource "gantry_gvc" "shop" {
  name = "shop"
  spec {
    static_placement {
      location_links = [${locations}]
    }
  }
}
resource "gantry_workload" "web" {
  name = "web"
  gvc  = gantry_gvc.shop.name
  spec {
    type = "standard"
    containers {
      name  = terraform_data.name.output
      image = "nginx:1"
      ports {
        number = 8080
      }
      ${container}
    }
    firewall_config {
      external {
        ${ports}
      }
    }
  }
}
`;

const port = (number: number, protocol: string): string => `outbound_allow_port {
          number   = ${number}
          protocol = ${protocol}
        }`;
const [key, mode] = [port(443, 'terraform_data.protocol.output'), port(80, '"http"')];
const [frankfurt, sydney] = ['terraform_data.location.output', '"//location/aws-ap-southeast-2"'];
const first: Written = {
  run: 1,
  locations: `${frankfurt}, ${sydney}`,
  ports: `${key}\n        ${mode}`,
  container: 'cpu = "500m"\n      memory = "1Gi"',
};

describeTerraform('an equivalent value that is unknown in the plan', () => {
  const terraform = useTerraform('final-plan');

  const cases: readonly (readonly [string, Partial<Written>])[] = [
    ['the items of a keyed list in another order', { ports: `${mode}\n        ${key}` }],
    ['the texts of a set in another order', { locations: `${sydney}, ${frankfurt}` }],
    ['texts of a set in another form', { locations: `${frankfurt}, "/org/local/location/aws-ap-southeast-2"` }],
    ['a quantity in another form, in an item without a name', { container: 'cpu = "0.5"\n      memory = "1024Mi"' }],
  ];
  /** All cases have the same two resources: whichever runs first creates them. */
  let run = 0;
  it.each(cases)('%s: it is applied as planned, nothing is sent, and the next plan is empty', async (_, written) => {
    const project = terraform.project('equivalent');
    const succeeds = async (...args: readonly string[]): Promise<void> => {
      const { code, text } = await project.run(...args, '-no-color');
      expect(code, text).toBe(0);
    };
    if (run === 0) {
      run += 1;
      project.write(configuration(first));
      await succeeds('apply', '-auto-approve');
    }

    run += 1;
    project.write(configuration({ ...first, ...written, run }));
    await succeeds('plan', '-out=saved');
    terraform.requests.length = 0;
    await succeeds('apply', 'saved');
    expect(terraform.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
    await succeeds('plan', '-detailed-exitcode');
  });
});
