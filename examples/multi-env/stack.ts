/** The same system in three environments: what differs is in `gantry.yaml`. */
import { App, Gvc, ServerlessService, Stack } from 'gantry';

/** The values of each environment. */
interface Values {
  readonly version: string;
  readonly locations: readonly string[];
  /** The most replicas in each location. */
  readonly replicas: number;
  readonly host?: string;
}

const app = new App<Values>();
const { name, values } = app.environment;
const { version, locations, replicas, host } = values;

const stack = new Stack(app, `system-${name}`);
const gvc = new Gvc(stack, `system-${name}`, { locations, tags: { environment: name } });
new ServerlessService(gvc, 'web', {
  image: `registry.example.com/system/web:${version}`,
  port: 8080,
  public: true,
  health: '/ready',
  scale: { max: replicas },
  env: { ENVIRONMENT: name, PUBLIC_HOST: host },
});
