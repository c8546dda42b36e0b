import { runScenario } from '../harness/scenario.ts';
import { scenario } from './18-domain-minimal-apex.ts';

runScenario(scenario);
