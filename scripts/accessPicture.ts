import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgramInTerminal } from '../test/harness/pseudoTerminal.ts';
import { terminalSvg } from './site/terminalSvg.ts';

/** Five plans that add or remove access: the stack before and after, in a few lines each. */
export interface AccessPlan {
  /** The name of its pictures. */
  readonly name: string;
  readonly title: string;
  /** The change that is opened in the report. */
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

const people = `kind: gvc
name: shop
---
kind: identity
gvc: shop
name: api
---
kind: identity
gvc: shop
name: report
---
kind: secret
name: database
type: opaque
data: {payload: correct-horse-battery-staple}
---
kind: group
name: operators
memberLinks: [MEMBERS]
---
kind: policy
name: operators
targetKind: secret
target: all
bindings: [{permissions: [view, use], principalLinks: [//group/operators]}]
---
kind: policy
name: database
targetKind: secret
targetLinks: [//secret/database]
bindings: [{permissions: [reveal], principalLinks: [PRINCIPALS]}]
`;

const web = `kind: gvc
name: shop
spec: {staticPlacement: {locationLinks: [//location/aws-eu-central-1]}}
---
kind: workload
gvc: shop
name: web
spec:
  type: serverless
  containers: [{name: main, image: "registry.example.com/web:17", ports: [{number: 8080, protocol: http}]}]
  firewallConfig: {external: {inboundAllowCIDR: [INBOUND], outboundAllowHostname: [HOSTS]}}
`;

const api = '//gvc/shop/identity/api';
const both = `${api}, //gvc/shop/identity/report`;

function withPeople(principals: string, members: string): string {
  return people.replace('PRINCIPALS', principals).replace('MEMBERS', members);
}

function withWeb(inbound: string, hosts: string): string {
  return web.replace('INBOUND', inbound).replace('HOSTS', hosts);
}

export const accessPlans: readonly AccessPlan[] = [
  {
    name: 'binding-gained',
    title: 'An identity gains a permission',
    id: 'policy/database',
    before: withPeople(api, '//user/admin@example.com'),
    after: withPeople(both, '//user/admin@example.com'),
  },
  {
    name: 'binding-lost',
    title: 'An identity loses a permission',
    id: 'policy/database',
    before: withPeople(both, '//user/admin@example.com'),
    after: withPeople(api, '//user/admin@example.com'),
  },
  {
    name: 'group-member',
    title: 'A group gets a member, who gains what policies grant to the group',
    id: 'group/operators',
    before: withPeople(api, '//user/admin@example.com'),
    after: withPeople(api, '//user/admin@example.com, //serviceaccount/platform'),
  },
  {
    name: 'firewall-opened',
    title: 'A firewall is opened to the world',
    id: 'workload/shop/web',
    before: withWeb('203.0.113.0/24', 'payments.example.com'),
    after: withWeb('0.0.0.0/0', 'payments.example.com'),
  },
  {
    name: 'allowed-hosts',
    title: 'A workload may call another host, and no longer a former one',
    id: 'workload/shop/web',
    before: withWeb('0.0.0.0/0', 'payments.example.com, mail.example.com'),
    after: withWeb('0.0.0.0/0', 'payments.example.com, "*.search.example.com"'),
  },
];

interface Pictured {
  /** The plan in a terminal of 100 columns. */
  readonly svg: string;
  /** Its report. */
  readonly html: string;
}

/** Applies the earlier stack on the embedded platform, and plans the later one, with a built command line. */
export async function planAccess({ before, after }: AccessPlan, program: string): Promise<Pictured> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-access-'));
  try {
    writeFileSync(join(folder, 'gantry.yaml'), 'stack: shop\n');
    writeFileSync(join(folder, 'shop.yaml'), before);
    execFileSync(process.execPath, [program, 'apply', '.', '--embedded', '--yes'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
      stdio: 'ignore',
    });
    writeFileSync(join(folder, 'shop.yaml'), after);
    const line = [program, 'plan', '.', '--embedded', '--report', 'plan.html'];
    const terminal = startProgramInTerminal(process.execPath, line, {
      cwd: folder,
      columns: 100,
      env: { GANTRY_PAGER: '' },
    });
    const { code } = await terminal.ended;
    if (code !== 0) throw new Error(terminal.screen.text);
    const written = terminal.written.replaceAll('\r', '').replace(/^.*plan\.html.*\n/gm, '');
    return {
      svg: terminalSvg('npx gantry plan . --embedded', written),
      html: readFileSync(join(folder, 'plan.html'), 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
