/** A program that must not compile: what it shows, its text after the prelude, and what the compiler says about it. */
export interface WrongProgram {
  readonly it: string;
  readonly code: string;
  readonly says: RegExp;
}

/** What every program begins with. */
export const prelude = `import {
  Agent, App, CloudAccount, type Container, Cpu, CronJob, Database, Domain, Duration, Group, Gvc, Identity, IpSet, Link,
  Location, Memory, Policy, type Probe, RawResource, Schedule, Secret, ServerlessService, Stack, StandardService,
  StatefulService, StaticSite, Testing, VolumeSet, Workload,
} from 'gantry';
void [Agent, CloudAccount, Cpu, CronJob, Database, Domain, Duration, Group, IpSet, Link, Location, Memory, Policy];
void [RawResource, Schedule, ServerlessService, Stack, StandardService, StatefulService, StaticSite, App];
export type { Container, Probe };
const stack = Testing.stack();
const gvc = new Gvc(stack, 'shop');
const identity = new Identity(gvc, 'backend');
const secret = new Secret(stack, 'login', { type: 'userpass', data: { username: 'a', password: 'b' } });
const docker = new Secret(stack, 'pull', { type: 'docker', data: '{}' });
const volumeSet = new VolumeSet(gvc, 'data', { performanceClass: 'general-purpose-ssd', initialCapacity: 10 });
const api = new Workload(gvc, 'api', { type: 'standard', containers: [{ name: 'main', image: 'x:1' }] });
const domain = new Domain(stack, 'shop.example.com');
void [identity, secret, docker, volumeSet, api, domain];
`;

const container = "{ name: 'main', image: 'x:1' }";
const workload = (props: string) => `new Workload(gvc, 'w', { ${props} });`;
const standard = (more: string) => workload(`type: 'standard', containers: [${container}], ${more}`);
const inContainer = (more: string, type = 'standard') =>
  workload(`type: '${type}', containers: [{ name: 'main', image: 'x:1', ${more} }]`);
const cron = (more: string) => workload(`type: 'cron', job: { schedule: '0 3 * * *' }, ${more}`);
const volumes = (props: string) => `new VolumeSet(gvc, 'v', { ${props} });`;
const route = (props: string) => `new Domain(stack, 'a.example.com', { ports: [{ routes: [{ ${props} }] }] });`;
const policy = (props: string) => `new Policy(stack, 'p', { ${props} });`;

const unknown = (name: string) => new RegExp(`'${name}' does not exist in type`);
const missing = (name: string) => new RegExp(`Property '${name}' is missing|missing the following properties.*${name}`);

/** Grouped by what they show. */
export const wrongPrograms: Readonly<Record<string, readonly WrongProgram[]>> = {
  'the type of a workload decides on its fields': [
    {
      it: 'a type that does not exist',
      code: workload(`type: 'daemon', containers: [${container}]`),
      says: /"daemon"/,
    },
    { it: 'no type', code: workload(`containers: [${container}]`), says: missing('type') },
    { it: 'cron without a job', code: workload(`type: 'cron', containers: [${container}]`), says: missing('job') },
    { it: 'a job on a standard workload', code: standard("job: { schedule: '* * * * *' }"), says: unknown('job') },
    {
      it: 'ports on cron',
      code: cron(`containers: [{ name: 'main', image: 'x:1', ports: [{ number: 8080 }] }]`),
      says: unknown('ports'),
    },
    {
      it: 'a probe on cron',
      code: cron(`containers: [{ name: 'main', image: 'x:1', readinessProbe: { tcpSocket: {} } }]`),
      says: unknown('readinessProbe'),
    },
    {
      it: 'minCpu on cron',
      code: cron(`containers: [{ name: 'main', image: 'x:1', minCpu: '50m' }]`),
      says: unknown('minCpu'),
    },
    {
      it: 'options for locations on cron',
      code: cron(`containers: [${container}], localOptions: [{ location: 'aws-us-west-2' }]`),
      says: unknown('localOptions'),
    },
    {
      it: 'capacityAI on a stateful workload',
      code: workload(`type: 'stateful', containers: [${container}], defaultOptions: { capacityAI: true }`),
      says: unknown('capacityAI'),
    },
    {
      it: 'maxUnavailableReplicas on a stateful workload',
      code: workload(`type: 'stateful', containers: [${container}], rolloutOptions: { maxUnavailableReplicas: '1' }`),
      says: unknown('maxUnavailableReplicas'),
    },
    {
      it: 'replicaDirect on a standard workload',
      code: standard('loadBalancer: { replicaDirect: true }'),
      says: unknown('replicaDirect'),
    },
    {
      it: 'two ports on a serverless workload',
      code: inContainer('ports: [{ number: 8080 }, { number: 8081 }]', 'serverless'),
      says: /not assignable to type 'undefined'/,
    },
    {
      it: 'a tcp port on a serverless workload',
      code: inContainer("ports: [{ number: 8080, protocol: 'tcp' }]", 'serverless'),
      says: /"tcp"/,
    },
    { it: 'a virtual machine in a standard workload', code: standard('vm: {}'), says: unknown('vm') },
    {
      it: 'a disk in a standard workload',
      code: inContainer("volumes: [{ uri: volumeSet, path: '/d', bus: 'virtio' }]"),
      says: unknown('bus'),
    },
  ],
  'scaling by the type of a workload': [
    {
      it: 'concurrency on a standard workload',
      code: standard("defaultOptions: { autoscaling: { metric: 'concurrency' } }"),
      says: /"concurrency"/,
    },
    {
      it: 'latency on a serverless workload',
      code: workload(
        `type: 'serverless', containers: [${container}], defaultOptions: { autoscaling: { metric: 'latency' } }`,
      ),
      says: /"latency"/,
    },
    {
      it: 'keda on a serverless workload',
      code: workload(`type: 'serverless', containers: [${container}], defaultOptions: { autoscaling: { keda: {} } }`),
      says: unknown('keda'),
    },
    {
      it: 'several metrics on a serverless workload',
      code: workload(
        `type: 'serverless', containers: [${container}], defaultOptions: { autoscaling: { multi: [{ metric: 'cpu', target: 80 }] } }`,
      ),
      says: unknown('multi'),
    },
    {
      it: 'a metric that does not exist',
      code: standard("defaultOptions: { autoscaling: { metric: 'load' } }"),
      says: /"load"/,
    },
    {
      it: 'a percentile that does not exist',
      code: standard("defaultOptions: { autoscaling: { metric: 'latency', metricPercentile: 'p95' } }"),
      says: /"p95"/,
    },
    {
      it: 'a fallback without a number of replicas',
      code: standard(
        "defaultOptions: { autoscaling: { metric: 'keda', keda: { fallback: { failureThreshold: 3 } } } }",
      ),
      says: missing('replicas'),
    },
  ],
  // biome-ignore format: one case a line
  containers: [
    { it: 'no container', code: workload("type: 'standard', containers: []"), says: /Source has 0 element\(s\)|at least 1/ },
    { it: 'no containers at all', code: workload("type: 'standard'"), says: missing('containers') },
    { it: 'no image', code: workload("type: 'standard', containers: [{ name: 'main' }]"), says: missing('image') },
    { it: 'no name', code: workload("type: 'standard', containers: [{ image: 'x:1' }]"), says: missing('name') },
    { it: 'a misspelt field', code: inContainer('enviroment: []'), says: unknown('enviroment') },
    { it: 'a field of another platform', code: inContainer('resources: { limits: { cpu: 1 } }'), says: unknown('resources') },
    { it: 'a command that is a list', code: inContainer("command: ['sh', '-c']"), says: /not assignable to type 'string'/ },
    { it: 'arguments that are one text', code: inContainer("args: '--verbose'"), says: /readonly string\[\]/ },
    { it: 'a port that is text', code: inContainer("ports: [{ number: '8080' }]"), says: /not assignable to type 'number'/ },
    { it: 'a port without a number', code: inContainer("ports: [{ protocol: 'http' }]"), says: missing('number') },
    { it: 'a protocol that does not exist', code: inContainer("ports: [{ number: 8080, protocol: 'https' }]"), says: /"https"/ },
    { it: 'a variable that is an object', code: inContainer("env: { A: { b: 'c' } }"), says: unknown('b') },
    { it: 'a variable that is a number', code: inContainer("env: [{ name: 'A', value: 1 }]"), says: /'number' is not assignable/ },
    { it: 'a GPU model that does not exist', code: inContainer("gpu: { nvidia: { model: 't5' } }"), says: /"t5"/ },
    { it: 'two sorts of GPUs',
      code: inContainer("gpu: { nvidia: { model: 't4' }, custom: { resource: 'x/gpu', quantity: 1 } }"),
      says: /not assignable to type '(undefined|Gpu\w*|NvidiaGpu|CustomGpu)/,
    },
    { it: 'a volume from an identity', code: inContainer("volumes: [{ uri: identity, path: '/x' }]"), says: /not assignable/ },
    { it: 'a volume without a path', code: inContainer('volumes: [{ uri: volumeSet }]'), says: missing('path') },
    { it: 'a volume that is no URI', code: inContainer("volumes: [{ uri: 'data', path: '/x' }]"), says: /"data"/ },
    { it: 'an exec hook without a command', code: inContainer('lifecycle: { preStop: { exec: {} } }'), says: missing('command') },
  ],
  // biome-ignore format: one case a line
  'one handler a probe': [
    { it: 'two handlers',
      code: inContainer("readinessProbe: { httpGet: { path: '/' }, tcpSocket: {} }"),
      says: /not assignable to type '(undefined|Probe|.*Probe.*)'/,
    },
    { it: 'no handler', code: inContainer('readinessProbe: { periodSeconds: 5 }'), says: missing('(exec|grpc|tcpSocket|httpGet)') },
    { it: 'a handler that does not exist', code: inContainer("livenessProbe: { http: { path: '/' } }"), says: unknown('http') },
    { it: 'a scheme in lower case', code: inContainer("livenessProbe: { httpGet: { scheme: 'https' } }"), says: /"https"/ },
    { it: 'a probe of its own type',
      code: 'const probe: Probe = { exec: { command: "x" } }; void probe;',
      says: /readonly string\[\]/,
    },
  ],
  'quantities, durations, replicas': [
    { it: 'cpu in a unit of memory', code: inContainer("cpu: '1Gi'"), says: /"1Gi"/ },
    { it: 'cpu in words', code: inContainer("cpu: 'half'"), says: /"half"/ },
    { it: 'memory in MB', code: inContainer("memory: '512MB'"), says: /"512MB"/ },
    {
      it: 'cpu from any text',
      code: inContainer("cpu: String(process.env['CPU'])"),
      says: /'string' is not assignable/,
    },
    {
      it: 'retention in weeks',
      code: volumes(
        "performanceClass: 'general-purpose-ssd', initialCapacity: 10, snapshots: { retentionDuration: '2w' }",
      ),
      says: /"2w"/,
    },
    {
      it: 'a cache time without a unit',
      code: "new Domain(stack, 'a.example.com', { ports: [{ cors: { maxAge: '600' } }] });",
      says: /"600"/,
    },
    { it: 'a share in words', code: standard("rolloutOptions: { maxSurgeReplicas: 'half' }"), says: /"half"/ },
    {
      it: 'resources of a mount in MB',
      code: volumes("fileSystemType: 'shared', initialCapacity: 10, mountOptions: { resources: { maxMemory: '2GB' } }"),
      says: /"2GB"/,
    },
  ],
  'references are to the right kind': [
    { it: 'a secret as identity', code: standard('identity: secret'), says: /not assignable/ },
    { it: 'a link to a secret as identity', code: standard("identity: '//secret/x'"), says: /"\/\/secret\/x"/ },
    { it: 'a name where a link belongs', code: route("workloadLink: 'api'"), says: /"api"/ },
    { it: 'a workload without its GVC', code: route("workloadLink: '//workload/api'"), says: /"\/\/workload\/api"/ },
    { it: 'an identity as the target of a route', code: route('workloadLink: identity'), says: /not assignable/ },
    {
      it: 'a workload as pull secret',
      code: "new Gvc(stack, 'g', { pullSecretLinks: [api] });",
      says: /not assignable/,
    },
    {
      it: 'a volume set as principal',
      code: policy(
        "targetKind: 'secret', target: 'all', bindings: [{ permissions: ['use'], principalLinks: [volumeSet] }]",
      ),
      says: /not assignable/,
    },
    { it: 'a GVC as IP set', code: "new Gvc(stack, 'g', { loadBalancer: { ipSet: gvc } });", says: /not assignable/ },
    { it: 'a secret as member', code: "new Group(stack, 'g', { memberLinks: [secret] });", says: /not assignable/ },
    {
      it: 'any workload where agents and workloads may call',
      code: standard("firewallConfig: { internal: { inboundAllowWorkload: ['api'] } }"),
      says: /"api"/,
    },
    { it: 'a secret for an IP set', code: "new IpSet(stack, 'i', { link: secret });", says: /not assignable/ },
    {
      it: 'a link of another kind after the check',
      code: "new IpSet(stack, 'i', { link: Link.parse('secret', 'x') });",
      says: /not assignable/,
    },
  ],
  'what references make': [
    { it: 'an identity as a variable', code: inContainer('env: { A: identity }'), says: /not assignable/ },
    {
      it: 'a volume set as a variable',
      code: inContainer("env: [{ name: 'A', value: volumeSet }]"),
      says: /not assignable/,
    },
    { it: 'a key of another type', code: "secret.key('payload');", says: /"payload"/ },
    { it: 'a mounted key of another type', code: "secret.mount('/x', { key: 'payload' });", says: /"payload"/ },
    { it: 'a relative path', code: "volumeSet.mount('data');", says: /"data"/ },
    { it: 'a route that does not begin with /', code: "domain.route('api', api);", says: /"api"/ },
    { it: 'a route to an identity', code: "domain.route('/api', identity);", says: /not assignable/ },
    {
      it: 'a replaced prefix of a regular expression',
      code: "domain.routeRegex('^/', api, { replacePrefix: '/' });",
      says: unknown('replacePrefix'),
    },
    {
      it: 'an added container with a property that does not exist',
      code: "api.addContainer({ name: 'side', image: 'x:1', img: 'y' });",
      says: unknown('img'),
    },
    {
      it: 'an added port of a cron workload',
      code: `new Workload(gvc, 'w', { type: 'cron', job: { schedule: '0 3 * * *' }, containers: [${container}] }).addPort({ number: 1 });`,
      says: /not assignable to parameter of type 'never'/,
    },
    {
      it: 'an added binding with a permission of another kind',
      code: "new Policy(stack, 'p', { targetKind: 'secret' }).addBinding({ permissions: ['exec'], principalLinks: [] });",
      says: /"exec"/,
    },
    { it: 'an added member that is a GVC', code: "new Group(stack, 'g').addMember(gvc);", says: /not assignable/ },
    { it: 'a secret as caller', code: 'api.allowFrom(secret);', says: /not assignable/ },
    { it: 'the name of a caller', code: "api.allowFrom('web');", says: /"web"/ },
    { it: 'a permission that secrets do not have', code: "secret.grant(identity, 'exec');", says: /"exec"/ },
    { it: 'a permission that GVCs do not have', code: "gvc.grant(identity, 'reveal');", says: /"reveal"/ },
    { it: 'a grant of nothing', code: 'gvc.grant(identity);', says: /Expected at least 2 arguments/ },
    { it: 'a permission for a workload', code: 'secret.grantReveal(api);', says: /not assignable/ },
    { it: 'an address of a volume set', code: 'volumeSet.internalUrl(80);', says: /'internalUrl' does not exist/ },
  ],
  'what is not in the stack': [
    {
      it: 'an existing secret as identity',
      code: standard("identity: Secret.fromName(stack, 'e', 'x')"),
      says: /not assignable/,
    },
    {
      it: 'an existing secret by a link to another kind',
      code: "Secret.fromLink(stack, 'e', '//group/x');",
      says: /"\/\/group\/x"/,
    },
    {
      it: 'a key that the stated type does not have',
      code: "Secret.fromName(stack, 'e', 'x', { type: 'opaque' }).key('password');",
      says: /"password"/,
    },
    { it: 'a GVC in an existing GVC', code: "new Gvc(Gvc.fromName(stack, 'e', 'x'), 'inner');", says: /insideOfGvc/ },
    {
      it: 'routes of an existing domain',
      code: "Domain.fromName(stack, 'e', 'a.example.com').route('/', api);",
      says: /'route' does not exist/,
    },
  ],
  services: [
    { it: 'a service without an image', code: "new ServerlessService(gvc, 's', {});", says: missing('image') },
    {
      it: 'a tcp port of a serverless service',
      code: "new ServerlessService(gvc, 's', { image: 'x:1', protocol: 'tcp' });",
      says: /"tcp"/,
    },
    {
      it: 'a port of a job',
      code: "new CronJob(gvc, 's', { image: 'x:1', schedule: '0 3 * * *', port: 8080 });",
      says: unknown('port'),
    },
    { it: 'a job without a schedule', code: "new CronJob(gvc, 's', { image: 'x:1' });", says: missing('schedule') },
    {
      it: 'concurrency of a standard service',
      code: "new StandardService(gvc, 's', { image: 'x:1', scale: { concurrency: 3 } });",
      says: unknown('concurrency'),
    },
    {
      it: 'a stateful service without storage',
      code: "new StatefulService(gvc, 's', { image: 'x:1' });",
      says: missing('storage'),
    },
    {
      it: 'a site with an image and files',
      code: "new StaticSite(gvc, 's', { image: 'x:1', files: 's3://x' });",
      says: /not assignable to type 'VolumeSource/,
    },
    {
      it: 'a site of nothing',
      code: "new StaticSite(gvc, 's', {});",
      says: /not assignable to parameter of type 'StaticSiteProps'/,
    },
    {
      it: 'a database without a password',
      code: "new Database(gvc, 's', { storage: { capacity: 10 } });",
      says: missing('password'),
    },
    {
      it: 'a health check that is no path',
      code: "new StandardService(gvc, 's', { image: 'x:1', health: 'ready' });",
      says: /"ready"/,
    },
    { it: 'memory as cpu', code: inContainer('cpu: Memory.gibibytes(1)'), says: /not assignable to type 'CpuQuantity/ },
    {
      it: 'seconds as retention',
      code: volumes(
        "performanceClass: 'general-purpose-ssd', initialCapacity: 10, snapshots: { retentionDuration: Duration.seconds(5) }",
      ),
      says: /`\$\{number\}s`' is not assignable/,
    },
    { it: 'a text as a duration in seconds', code: "Duration.inSeconds('5 minutes');", says: /"5 minutes"/ },
    { it: 'a day that does not exist', code: "Schedule.weekly({ day: 'someday', hour: 3 });", says: /"someday"/ },
    { it: 'a time without its hour', code: 'Schedule.daily({ minute: 30 });', says: missing('hour') },
  ],
  'manifests that are written out': [
    {
      it: 'one of a kind that Gantry does not know, as identity',
      code: standard("identity: new RawResource(gvc, 'r', { kind: 'widget' })"),
      says: /not assignable/,
    },
    {
      it: 'one of another kind, as identity',
      code: standard("identity: new RawResource(stack, 'r', { kind: 'secret' })"),
      says: /not assignable/,
    },
    { it: 'one without a kind', code: "new RawResource(stack, 'r', { spec: {} });", says: missing('kind') },
    { it: 'an override of no path', code: "api.addOverride(['spec', 'type'], 'x');", says: /'string'/ },
  ],
  policies: [
    { it: 'a target kind that does not exist', code: policy("targetKind: 'pod', target: 'all'"), says: /"pod"/ },
    {
      it: 'a permission that the target kind does not have',
      code: policy(
        "targetKind: 'gvc', target: 'all', bindings: [{ permissions: ['reveal'], principalLinks: [identity] }]",
      ),
      says: /"reveal"/,
    },
    {
      it: 'a misspelt permission',
      code: policy(
        "targetKind: 'secret', target: 'all', bindings: [{ permissions: ['read'], principalLinks: [identity] }]",
      ),
      says: /"read"/,
    },
    {
      it: 'a target of another kind',
      code: policy("targetKind: 'secret', targetLinks: [api]"),
      says: /not assignable/,
    },
    {
      it: 'a link to another kind',
      code: policy("targetKind: 'secret', targetLinks: ['//gvc/shop']"),
      says: /"\/\/gvc\/shop"/,
    },
    { it: 'a target other than all', code: policy("targetKind: 'secret', target: 'none'"), says: /"none"/ },
    {
      it: 'a binding without principals',
      code: policy("targetKind: 'secret', target: 'all', bindings: [{ permissions: ['use'] }]"),
      says: missing('principalLinks'),
    },
  ],
  secrets: [
    {
      it: 'the data of another type',
      code: "new Secret(stack, 's', { type: 'userpass', data: { payload: 'x' } });",
      says: unknown('payload'),
    },
    {
      it: 'half of the data',
      code: "new Secret(stack, 's', { type: 'userpass', data: { username: 'x' } });",
      says: missing('password'),
    },
    {
      it: 'text as data of a dictionary',
      code: "new Secret(stack, 's', { type: 'dictionary', data: 'x' });",
      says: /not assignable/,
    },
    {
      it: 'an object as data of docker',
      code: "new Secret(stack, 's', { type: 'docker', data: { auths: {} } });",
      says: /not assignable/,
    },
    {
      it: 'a type of secret that does not exist',
      code: "new Secret(stack, 's', { type: 'password', data: 'x' });",
      says: /"password"/,
    },
    {
      it: 'an encoding that does not exist',
      code: "new Secret(stack, 's', { type: 'opaque', data: { payload: 'x', encoding: 'hex' } });",
      says: /"hex"/,
    },
    { it: 'a key of another type', code: "secret.uri('payload');", says: /"payload"/ },
    {
      it: 'a key of a secret that has none',
      code: "docker.uri('auths');",
      says: /not assignable to parameter of type 'undefined'/,
    },
    {
      it: 'a number in a dictionary',
      code: "new Secret(stack, 's', { type: 'dictionary', data: { A: 1 } });",
      says: /'number' is not assignable/,
    },
  ],
  scope: [
    { it: 'a GVC in a GVC', code: "new Gvc(gvc, 'inner');", says: /insideOfGvc/ },
    {
      it: 'a name in place of a scope',
      code: "new Workload('shop', 'w', { type: 'standard', containers: [{ name: 'main', image: 'x:1' }] });",
      says: /'Construct'/,
    },
    { it: 'a secret as GVC', code: "new Identity(stack, 'i', { gvc: secret });", says: /not assignable/ },
    { it: 'a GVC for what belongs to the org', code: "new Group(stack, 'g', { gvc });", says: unknown('gvc') },
  ],
  'volume sets': [
    { it: 'no capacity', code: volumes("performanceClass: 'general-purpose-ssd'"), says: missing('initialCapacity') },
    {
      it: 'no class for ext4',
      code: volumes("fileSystemType: 'ext4', initialCapacity: 10"),
      says: missing('performanceClass'),
    },
    {
      it: 'a class of ext4 for shared',
      code: volumes("fileSystemType: 'shared', performanceClass: 'general-purpose-ssd', initialCapacity: 10"),
      says: /"general-purpose-ssd"/,
    },
    {
      it: 'snapshots of shared',
      code: volumes("fileSystemType: 'shared', initialCapacity: 10, snapshots: {}"),
      says: unknown('snapshots'),
    },
    {
      it: 'encryption of shared',
      code: volumes("fileSystemType: 'shared', initialCapacity: 10, customEncryption: {}"),
      says: unknown('customEncryption'),
    },
    {
      it: 'mount options of ext4',
      code: volumes("performanceClass: 'general-purpose-ssd', initialCapacity: 10, mountOptions: {}"),
      says: unknown('mountOptions'),
    },
    {
      it: 'a prediction without its companions',
      code: volumes(
        "performanceClass: 'general-purpose-ssd', initialCapacity: 10, autoscaling: { maxCapacity: 100, predictive: { enabled: true } }",
      ),
      says: /minFreePercentage|'true' is not assignable to type 'false'/,
    },
    {
      it: 'a prediction without a factor',
      code: volumes(
        "performanceClass: 'general-purpose-ssd', initialCapacity: 10, autoscaling: { minFreePercentage: 20, predictive: { enabled: true } }",
      ),
      says: /scalingFactor|'true' is not assignable to type 'false'/,
    },
    {
      it: 'a capacity in text',
      code: volumes("performanceClass: 'general-purpose-ssd', initialCapacity: '10Gi'"),
      says: /not assignable to type 'number'/,
    },
  ],
  'domains, firewalls, access elsewhere': [
    {
      it: 'a prefix beside a regular expression',
      code: route("prefix: '/a', regex: '^/b', workloadLink: api"),
      says: /not assignable to type '(undefined|.*Route.*)'/,
    },
    { it: 'a route without a workload', code: route("prefix: '/a'"), says: missing('workloadLink') },
    {
      it: 'a replaced prefix beside a regular expression',
      code: route("regex: '^/b', replacePrefix: '/', workloadLink: api"),
      says: /not assignable to type '(undefined|.*Route.*)'/,
    },
    {
      it: 'routes beside a GVC',
      code: "new Domain(stack, 'a.example.com', { gvcLink: gvc, ports: [{ routes: [{ workloadLink: api }] }] });",
      says: /not assignable/,
    },
    {
      it: 'a workload beside a GVC',
      code: "new Domain(stack, 'a.example.com', { gvcLink: gvc, workloadLink: api });",
      says: /not assignable/,
    },
    {
      it: 'an origin that is text',
      code: "new Domain(stack, 'a.example.com', { ports: [{ cors: { allowOrigins: ['https://a.example.com'] } }] });",
      says: /'string' is not assignable/,
    },
    {
      it: 'a version of TLS that does not exist',
      code: "new Domain(stack, 'a.example.com', { ports: [{ tls: { minProtocolVersion: '1.2' } }] });",
      says: /"1.2"/,
    },
    {
      it: 'a filter with both lists',
      code: standard(
        "firewallConfig: { external: { http: { inboundHeaderFilter: [{ key: 'a', allowedValues: ['x'], blockedValues: ['y'] }] } } }",
      ),
      says: /not assignable to type '(undefined|.*Filter.*)'/,
    },
    {
      it: 'a single address',
      code: standard("firewallConfig: { external: { inboundAllowCIDR: '0.0.0.0/0' } }"),
      says: /readonly string\[\]/,
    },
    {
      it: 'who may call, misspelt',
      code: standard("firewallConfig: { internal: { inboundAllowType: 'same_gvc' } }"),
      says: /"same_gvc"/,
    },
    {
      it: 'a role beside policies',
      code: "new Identity(gvc, 'i', { aws: { cloudAccountLink: '//cloudaccount/a', roleName: 'r', policyRefs: ['p'] } });",
      says: /not assignable to type '(undefined|.*Access.*)'/,
    },
    {
      it: 'addresses beside a host name',
      code: "new Identity(gvc, 'i', { networkResources: [{ name: 'db', ports: [1], IPs: ['10.0.0.1'], FQDN: 'db.local' }] });",
      says: /not assignable to type '(undefined|.*Network.*)'/,
    },
    {
      it: 'a project at AWS',
      code: "new CloudAccount(stack, 'c', { provider: 'aws', data: { projectId: 'p-12345' } });",
      says: unknown('projectId'),
    },
    {
      it: 'a provider that does not exist',
      code: "new CloudAccount(stack, 'c', { provider: 'digital', data: { roleArn: 'x' } });",
      says: /"digital"/,
    },
    {
      it: 'two tracing providers',
      code: "new Gvc(stack, 'g', { tracing: { sampling: 1, provider: { otel: { endpoint: 'a:1' }, controlplane: {} } } });",
      says: /not assignable to type '(undefined|.*Tracing.*)'/,
    },
    {
      it: 'a query term about two things',
      code: "new Gvc(stack, 'g', { staticPlacement: { locationQuery: { spec: { terms: [{ tag: 'a', property: 'b', value: 'c' }] } } } });",
      says: /not assignable to type '(undefined|.*Term.*)'/,
    },
  ],
};
