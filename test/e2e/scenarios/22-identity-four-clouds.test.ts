import { runScenario } from '../harness/scenario.ts';
import { scenario } from './22-identity-four-clouds.ts';

runScenario(scenario);
