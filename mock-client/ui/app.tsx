/** The page around the steps: the banner, the current step, and the panel that shows the wire. */
import { useRef, useSyncExternalStore } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Flow } from '../flow/run-effects.ts';
import type { Attribute, Model } from '../flow/state.ts';
import type { ClientConfig } from '../rpc.ts';
import type { WireLog } from '../wire/wire-log.ts';
import { showAttribute } from './format.ts';
import { LanguageChoice, useLanguage } from './language.tsx';
import { Icon, Mark } from './parts/icons.tsx';
import { Arrival } from './parts/step.tsx';
import { CheckingStep } from './steps/checking.tsx';
import { CodeStep } from './steps/code.tsx';
import { EndedStep, EndingPage } from './steps/ending.tsx';
import { IdentifyStep } from './steps/identify.tsx';
import { RecordStep } from './steps/record.tsx';
import { SignInPage } from './steps/sign-in.tsx';
import { WirePanel } from './wire-panel.tsx';

export type AppProps = { flow: Flow; wireLog: WireLog; config: ClientConfig; clock: Clock };

export function App({ flow, wireLog, config, clock }: AppProps) {
  const model = useSyncExternalStore(flow.subscribe, flow.current, flow.current);
  const entries = useSyncExternalStore(wireLog.subscribe, wireLog.entries, wireLog.entries);
  const { say } = useLanguage();
  // The first step must not take the focus from the address bar. Every later one takes it.
  const arrived = useRef(false);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {say('skip')}
      </a>
      <Banner signedInWith={signedInWith(model)} smsUrl={config.smsUrl} />
      <div className="columns">
        <main id="content" className="page" tabIndex={-1}>
          <Arrival value={arrived}>
            <Step model={model} flow={flow} config={config} clock={clock} />
          </Arrival>
        </main>
        <WirePanel entries={entries} />
      </div>
      <footer className="footer">{say('footer')}</footer>
    </div>
  );
}

function Step({ model, flow, config, clock }: { model: Model } & Omit<AppProps, 'wireLog'>) {
  const { step } = model;
  const on = { busy: model.waiting !== undefined, send: flow.send };
  switch (step.at) {
    case 'signIn':
      return <SignInPage step={step} {...on} />;
    case 'code':
      return <CodeStep step={step} {...on} smsUrl={config.smsUrl} clock={clock} />;
    case 'checking':
      return <CheckingStep step={step} {...on} />;
    case 'identify':
      return <IdentifyStep step={step} {...on} clock={clock} />;
    case 'record':
      return <RecordStep step={step} {...on} ttlUnit={config.ttlUnit} />;
    case 'ending':
      return <EndingPage step={step} {...on} />;
    case 'ended':
      return <EndedStep step={step} send={flow.send} />;
  }
}

type BannerProps = { signedInWith: Attribute | undefined; smsUrl: string | undefined };

function Banner({ signedInWith, smsUrl }: BannerProps) {
  const { say } = useLanguage();
  return (
    <header className="banner">
      <p className="brand">
        <Mark />
        <span>{say('title')}</span>
      </p>
      <LanguageChoice />
      {signedInWith && (
        <p className="who">{say('signedInWith', { attribute: showAttribute(signedInWith) })}</p>
      )}
      {smsUrl && (
        <a className="banner-link" href={smsUrl} target="_blank" rel="noreferrer">
          <span>{say('simulatedMessages')}</span> <Icon of="external" />
        </a>
      )}
    </header>
  );
}

function signedInWith({ step }: Model): Attribute | undefined {
  return 'session' in step ? step.attribute : undefined;
}
