/**
 * Three environments from one tree: what is the same is a function, what differs is typed configuration. Each
 * environment is a stack of its own. Try it with `npx gantry plan examples/multi-env --all --embedded`.
 */
import { App, Environments, Gvc, ServerlessService, Stack } from 'gantry';

interface Config {
  readonly version: string;
  readonly locations: readonly string[];
  /** The most replicas in each location. */
  readonly replicas: number;
  readonly host?: string;
}

const environments = new Environments({
  dev: { version: '2.1.0-rc.3', locations: ['aws-eu-central-1'], replicas: 1 },
  staging: { version: '2.1.0-rc.2', locations: ['aws-eu-central-1'], replicas: 2 },
  prod: { version: '2.0.4', locations: ['aws-eu-central-1', 'aws-us-east-1'], replicas: 10, host: 'www.example.com' },
} satisfies Record<string, Config>);

const app = new App();
for (const { name, config } of environments.all()) addSystem(new Stack(app, name), name, config);

function addSystem(stack: Stack, environment: string, { version, locations, replicas, host }: Config): void {
  const gvc = new Gvc(stack, `system-${environment}`, { locations, tags: { environment } });
  new ServerlessService(gvc, 'web', {
    image: `registry.example.com/system/web:${version}`,
    port: 8080,
    public: true,
    health: '/ready',
    scale: { max: replicas },
    env: { ENVIRONMENT: environment, PUBLIC_HOST: host },
  });
}
