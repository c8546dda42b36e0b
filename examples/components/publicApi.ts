import { Construct } from 'constructs';
import { Domain, type Gvc, Identity, type Secret, StandardService } from 'gantry';

export interface PublicApiProps {
  readonly image: string;
  readonly host: string;
  /** Secrets that it may read, by the variable that has them. */
  readonly secrets?: Readonly<Record<string, Secret<'opaque'>>>;
  /** Replicas in each location. @default 2 to 6 */
  readonly replicas?: { readonly min: number; readonly max: number };
}

/** An API on the internet: a service with an identity that may read its secrets, and a domain that leads to it. */
export class PublicApi extends Construct {
  readonly service: StandardService;
  readonly identity: Identity;

  constructor(gvc: Gvc, id: string, { image, host, secrets = {}, replicas = { min: 2, max: 6 } }: PublicApiProps) {
    super(gvc, id);
    this.identity = new Identity(this, 'identity', { name: `${id}-identity` });
    for (const secret of Object.values(secrets)) secret.grantReveal(this.identity);

    const variables = Object.entries(secrets).map(([name, secret]) => [name, secret.key('payload')] as const);
    this.service = new StandardService(this, 'service', {
      name: id,
      image,
      port: 8080,
      public: true,
      health: '/ready',
      identity: this.identity,
      scale: replicas,
      env: Object.fromEntries(variables),
    });
    new Domain(this, 'domain', { name: host, dnsMode: 'cname' }).route('/', this.service, { port: 8080 });

    this.node.addValidation({
      validate: () => (replicas.min < 2 ? ['fewer than two replicas: a rollout would interrupt it'] : []),
    });
  }
}
