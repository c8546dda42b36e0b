import { runScenario } from '../harness/scenario.ts';
import { scenario } from './16-secret-zoo.ts';

runScenario(scenario);
