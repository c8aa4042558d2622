/** Asks for the API key. */
export function SignIn ({ refused, onKey }: { refused: boolean; onKey: (key: string) => void }) {
  return (
    <main className='alone'>
      <form className='card sign-in' action={(form) => onKey(String(form.get('key')).trim())}>
        <h1>Pet store</h1>
        {refused && <p role='alert'>The service does not know this API key. It may be revoked or misspelt.</p>}
        <label>
          API key
          <input
            name='key'
            type='password'
            autoComplete='off'
            required
            pattern='\s*[!-~]+\s*'
            title='An API key has letters, digits and signs on a keyboard in English, and no space.'
          />
        </label>
        <button>Sign in</button>
      </form>
    </main>
  )
}
