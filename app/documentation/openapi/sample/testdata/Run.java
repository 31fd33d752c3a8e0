import java.io.OutputStream;
import java.io.PrintStream;

/** Runs the classes whose names it is given. */
public class Run {
    public static void main(String[] names) {
        var failed = false;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        for (var name : names) {
            try {
                Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            } catch (Throwable error) {
                System.err.println(name);
                error.printStackTrace();
                failed = true;
            }
        }
        System.exit(failed ? 1 : 0);
    }
}
