import { runScenario } from '../harness/scenario.ts';
import { scenario } from './20-domain-extras.ts';

runScenario(scenario);
