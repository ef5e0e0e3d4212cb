/** The page that is shown when the client's settings cannot be loaded. */
import { useLanguage } from './language.tsx';
import { Button } from './parts/button.tsx';

export function NoSettings({ detail, onRetry }: { detail: string; onRetry: () => void }) {
  const { say } = useLanguage();
  return (
    <main className="page page-narrow">
      <div className="card" role="alert">
        <h1>{say('noSettingsTitle')}</h1>
        <p className="lead">{say('noSettingsText')}</p>
        <p className="hint">{detail}</p>
        <Button onPress={onRetry}>{say('tryAgain')}</Button>
      </div>
    </main>
  );
}
