import { type Published, typed } from '../common/words.ts';

export const published: Published = {
  types: {
    OrgFields: {
      about: 'The scope of everything.',
      section: 'org.life',
      fields: { spec: typed('OrgSpec', 'Settings of the org.') },
    },
    OrgSpec: {
      about: 'Settings of an org.',
      section: 'org.life',
      fields: {
        logging: typed('LoggingTarget', 'Where logs are sent in addition, settings by provider.'),
        extraLogging: typed('LoggingTarget', 'Further targets for logs.'),
        tracing: typed('Tracing', 'Traces of requests: how many, and where they are sent.', { section: 'gvc.tracing' }),
        sessionTimeoutSeconds: 'Seconds after which users have to sign in again.',
        authConfig: typed('OrgAuthentication', 'How users sign in.'),
        observability: typed('OrgObservability', 'How long logs, metrics and traces are retained.'),
        security: typed('OrgSecurity', 'Detection of threats.'),
      },
    },
    LoggingTarget: {
      about: 'A target for logs. Members of the provider pass through.',
      section: 'org.life',
      fields: { credentials: 'Secret with the credentials for the provider.' },
    },
    OrgAuthentication: {
      about: 'How users of an org sign in.',
      section: 'org.life',
      fields: {
        domainAutoMembers: 'Mail domains: everyone with an address in one of them becomes a user of the org.',
        samlOnly: 'Allows single sign-on by SAML only.',
      },
    },
    OrgObservability: {
      about: 'How long logs, metrics and traces of an org are retained.',
      section: 'org.life',
      fields: {
        logsRetentionDays: 'Days for which logs are retained.',
        metricsRetentionDays: 'Days for which metrics are retained.',
        tracesRetentionDays: 'Days for which traces are retained.',
        defaultAlertEmails: 'Addresses that alerts are sent to.',
      },
    },
    OrgSecurity: {
      about: 'Security settings of an org.',
      section: 'org.life',
      fields: { threatDetection: typed('ThreatDetection', 'Reports suspicious behaviour of workloads.') },
    },
    ThreatDetection: {
      about: 'Reports of suspicious behaviour of workloads.',
      section: 'org.life',
      fields: {
        enabled: 'Switches the detection on.',
        minimumSeverity: 'Least severity that is reported.',
        syslog: typed('Syslog', 'Where the reports are sent.'),
      },
    },
    Syslog: {
      about: 'A receiver of reports.',
      section: 'org.life',
      fields: {
        transport: 'Transport protocol.',
        host: 'Host name of the receiver.',
        port: 'Port of the receiver.',
      },
    },
  },
  example: {
    name: 'local',
    description: 'The org of the shop',
    spec: { sessionTimeoutSeconds: 3600 },
  },
};
