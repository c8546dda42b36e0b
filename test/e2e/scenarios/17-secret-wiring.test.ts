import { runScenario } from '../harness/scenario.ts';
import { scenario } from './17-secret-wiring.ts';

runScenario(scenario);
